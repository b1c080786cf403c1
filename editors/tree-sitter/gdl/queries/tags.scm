(rule head: (atom relation: (name) @name)) @definition.function
(fact head: (atom relation: (name) @name)) @definition.constant
(rule body: (atom relation: (name) @name)) @reference.call
