;;; gdl-mode.el --- Rule sheets in GDL, the Game Description Language -*- lexical-binding: t -*-

;; Colours for all dialects, and the language server `ggp lsp' by Eglot, which Emacs 29 brings, and a package before.

;;; Code:

(defvar gdl-mode-syntax-table
  (let ((table (make-syntax-table)))
    (modify-syntax-entry ?% "<" table)
    (modify-syntax-entry ?\; "<" table)
    (modify-syntax-entry ?\n ">" table)
    (modify-syntax-entry ?_ "_" table)
    (modify-syntax-entry ?? "_" table)
    (modify-syntax-entry ?\' "\"" table)
    table)
  "What characters mean in rule sheets.")

(defvar gdl-font-lock-keywords
  '(("\\_<\\(role\\|init\\|true\\|does\\|legal\\|next\\|goal\\|terminal\\|base\\|input\\|sees\\|percept\\|action\\)\\_>" . font-lock-keyword-face)
    ("\\_<\\(not\\|and\\|or\\|distinct\\)\\_>\\|:-\\|::\\|==>\\|<=\\|[&|~]" . font-lock-builtin-face)
    ("\\?[^][ \t\n();]+\\|\\_<[A-Z_][A-Za-z0-9_]*\\_>" . font-lock-variable-name-face)
    ("\\_<\\([a-z0-9][A-Za-z0-9_-]*\\)(" 1 font-lock-function-name-face))
  "Colours of rule sheets.")

;;;###autoload
(define-derived-mode gdl-mode prog-mode "GDL"
  "Major mode for rule sheets in GDL."
  (setq-local comment-start "% ")
  (setq-local font-lock-defaults '(gdl-font-lock-keywords)))

;;;###autoload
(define-derived-mode ggp-query-mode gdl-mode "ggp script"
  "Major mode for scripts of ggp.")

;;;###autoload
(add-to-list 'auto-mode-alist '("\\.\\(gdl\\|kif\\|hrf\\)\\'" . gdl-mode))
;;;###autoload
(add-to-list 'auto-mode-alist '("\\.query\\'" . ggp-query-mode))

(with-eval-after-load 'eglot
  (add-to-list 'eglot-server-programs '((gdl-mode ggp-query-mode) . ("ggp" "lsp"))))

(provide 'gdl-mode)
;;; gdl-mode.el ends here
