#!/bin/sh
# How the cost of solving Connect Four on disk grows with the board: a line of CSV for each board (width x height), with
# the states, the seconds elapsed and of CPU time, the peak memory, the bytes on disk and the bytes that workers sent each
# other.
#
#     solving_growth.sh FOLDER [BOARD ...]       by default 4x4 4x5 5x4 5x5 4x6 6x4 5x6
#
# GGP is the program (ggp), OPTIONS what is added to its line (--workers 2 --memory 2G). FOLDER takes the files of a board
# until the next one, with 5x6 about 2 GB.
set -eu
folder=${1:?the folder for the files}
shift
[ $# -gt 0 ] || set -- 4x4 4x5 5x4 5x5 4x6 6x4 5x6
here=$(dirname "$0")
mkdir -p "$folder"

# The sheet of the library with other numbers of columns and rows.
sheet() {
    awk -v width="$1" -v height="$2" '
        /^(column|row|top|succ)\([0-9,]+\)$/ { next }
        { print }
        END {
            for (n = 1; n <= width; n++) print "column(" n ")"
            for (n = 1; n <= height; n++) print "row(" n ")"
            print "top(" height ")"
            for (n = 1; n < (width > height ? width : height); n++) print "succ(" n "," n + 1 ")"
        }' "$here/../../gdl/connect_four_5x5.gdl"
}

# The last value of a field in lines of JSON.
field() {
    sed -n "s/.*\"$1\":\([0-9.]*\).*/\1/p" "$folder/steps.json" | tail -n 1
}

echo "board,states,seconds,cpu_seconds,memory,disk,exchanged"
for board; do
    rm -rf "$folder/run"
    sheet "${board%x*}" "${board#*x}" > "$folder/$board.gdl"
    # shellcheck disable=SC2086 # several options
    "${GGP:-ggp}" solve "$folder/$board.gdl" --dir "$folder/run" --json ${OPTIONS:---workers 2 --memory 2G} \
        > "$folder/steps.json"
    seconds=$(sed -n 's/.*"seconds":\([0-9.e-]*\).*/\1/p' "$folder/steps.json" | awk '{ sum += $1 } END { printf "%.1f", sum }')
    echo "$board,$(field all_states),$seconds,$(field cpu_seconds),$(field peak_memory),$(field bytes),$(field exchanged)"
done
rm -rf "$folder/run"
