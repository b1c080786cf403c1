(rule head: (atom relation: (name) @name)) @definition.function
(fact head: (atom relation: (name) @name)) @definition.constant
(rule body: (atom relation: (name) @name)) @reference.call
(operation action: (atom relation: (name) @name)) @definition.method
(operation condition: (atom relation: (name) @name)) @reference.call
