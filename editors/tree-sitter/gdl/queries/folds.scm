(rule) @fold
(operation) @fold
(comment)+ @fold
