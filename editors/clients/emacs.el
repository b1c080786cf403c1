;;; emacs.el --- Tries the server in Emacs without a screen -*- lexical-binding: t -*-

;; `editors/test emacs' runs it; GGP names the program. It needs Eglot, which Emacs 29 brings.

;;; Code:

(require 'eglot)
(require 'flymake)
(load (expand-file-name "../emacs/gdl-mode.el" (file-name-directory load-file-name)) nil t)
(setq eglot-server-programs `(((gdl-mode ggp-query-mode) . (,(getenv "GGP") "lsp")))
      eglot-connect-timeout 60)

(defconst try-sheet "% größer 🗼
role(robot)
legal(robot,go)
next(p) :- does(robot,go)
goal(robot,0) :- ~tru(p)
terminal :- true(p)
")

(defun try-fail (&rest text)
  "End with an error, which TEXT is the format of."
  (message "emacs.el: %s" (apply #'format text))
  (kill-emacs 1))

(defun try-wait (what condition)
  "Wait until the function CONDITION gives something; fail with WHAT after a minute."
  (with-timeout (60 (try-fail "in vain: %s" what))
    (let (found)
      (while (not (setq found (funcall condition)))
        (accept-process-output nil 0.05))
      found)))

(defun try-shown ()
  "The codes and lines of the problems that Flymake shows."
  ;; Without commands of a person Flymake does not start by itself.
  (flymake-start)
  (accept-process-output nil 0.1)
  (sort (mapcar (lambda (problem)
                  (let ((text (flymake-diagnostic-text problem)))
                    (string-match "[EW][0-9]+" text)
                    (format "%s %d" (match-string 0 text) (line-number-at-pos (flymake-diagnostic-beg problem)))))
                (flymake-diagnostics))
        #'string<))

(defun try-checked (file)
  "The codes and lines of the problems of `ggp check' in FILE, those without a line in the first."
  (with-temp-buffer
    (call-process (getenv "GGP") nil t nil "check" "--json" file)
    (goto-char (point-min))
    (sort (mapcar (lambda (problem) (format "%s %d" (gethash "code" problem) (gethash "line" problem 1)))
                  (gethash "diagnostics" (json-parse-buffer :null-object 1)))
          #'string<)))

(let ((file (make-temp-file "sheet" nil ".gdl" try-sheet)))
  (find-file file)
  (unless (eq major-mode 'gdl-mode) (try-fail "the mode is %s" major-mode))
  (apply #'eglot (eglot--guess-contact))
  (flymake-mode 1)
  (let ((expected (try-checked file)))
    (unless (member "W201 5" expected) (try-fail "check finds %s" expected))
    (try-wait (format "the problems %s" expected) (lambda () (equal (try-shown) expected))))
  ;; The definition of `p' in the last line is in the head of the rule in line 4.
  (search-forward "true(")
  (xref-find-definitions (xref-backend-identifier-at-point (xref-find-backend)))
  (unless (= (line-number-at-pos) 4) (try-fail "the definition is in line %d" (line-number-at-pos)))
  (eglot-rename "done")
  (search-forward "tru(")
  (let ((offered (all-completions "" (nth 2 (run-hook-with-args-until-success 'completion-at-point-functions)))))
    (unless (member "done" offered) (try-fail "offered: %s" offered)))
  (goto-char (point-min))
  (search-forward "tru(")
  (replace-match "true(")
  ;; Eglot sends changes when a person pauses.
  (eglot--signal-textDocument/didChange)
  (try-wait "no problem of `tru'" (lambda () (not (member "W201 5" (try-shown)))))
  (goto-char (point-max))
  (unless (looking-back "terminal :- true(done)\n" 0) (try-fail "renamed: %s" (buffer-string)))
  (set-buffer-modified-p nil)
  (delete-file file)
  (princ "Emacs and ggp lsp understand each other\n"))
;;; emacs.el ends here
