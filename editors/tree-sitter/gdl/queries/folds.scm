(rule) @fold
(comment)+ @fold
