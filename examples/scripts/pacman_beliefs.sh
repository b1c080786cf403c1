#!/bin/sh
# What Pacman believes about the ghost, against what the ghost does: the lectures' table of assumptions against reality.
#
#     examples/scripts/pacman_beliefs.sh [GGP]
#
# GGP is the program, `ggp` if nothing is said. Each of the four cells is 200 matches of pacman_small. Pacman is `minimax` (he believes in a
# ghost that hunts as well as can be) or `expectimax` (he believes in one that wanders about); the ghost is `minimax` or `random`. Both
# see to the end of the game well before their clock, so the table, which is in pacman_beliefs.txt, is the same on every run. A win is more
# than 50 for Pacman: all pellets.
ggp="${1:-ggp}"
for pacman in minimax:table expectimax:table; do
    for ghost in minimax:table random; do
        "$ggp" match pacman_small "$pacman" "$ghost" --games 200 --seed 1 --start-clock 1 --play-clock 10 || exit
    done
done
