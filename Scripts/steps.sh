# shellcheck shell=bash
# For scripts that run suites one after the other: `step` runs one and notes how it ended, `swift_tests` is one of them, `finish` sums up
# what failed, and why, in the last lines.

export LADING_STRICT=1
results=$PWD/.build/results
# Begun all at once, a thousand tests would wait for one another on the few threads there are, some of them for longer than what they test
# may take.
swift_test=(swift test --skip-build --experimental-maximum-parallelization-width 6)
# A run takes three to five minutes. What has not ended after so many seconds waits for something that never comes.
test_limit=${LADING_TEST_LIMIT:-1200}
# How many lines about what failed are shown at the end.
findings_limit=30

summary=()
findings=()
failed=0
# The name of the step that runs, and what of it passed only when it was repeated.
step=
unsteady=

# step NAME COMMAND…: runs it and notes how it ended.
step() {
    local name=$1 start=$SECONDS outcome=ok
    step=$name unsteady=
    shift
    printf '\n── %s ──\n' "$name"
    "$@" || { outcome=FAILED failed=1; }
    summary+=("$(printf '%-14s %-7s %4d s%s' "$name" "$outcome" $((SECONDS - start)) "${unsteady:+, only when repeated: $unsteady}")")
    [ "$outcome" = ok ]
}

# note TITLE: keeps the lines that are read, to be shown at the end.
note() {
    local lines
    mapfile -t lines
    [ ${#lines[@]} -eq 0 ] || findings+=("$1" "${lines[@]/#/  }")
}

finish() {
    if [ ${#findings[@]} -gt 0 ]; then
        printf '\n── What failed ──\n'
        printf '%s\n' "${findings[@]:0:$findings_limit}" | cut -c1-400
        [ ${#findings[@]} -le $findings_limit ] || echo "  … and $((${#findings[@]} - findings_limit)) lines more."
    fi
    printf '\n── Summary ──\n'
    printf '%s\n' "${summary[@]}"
    [ $failed -eq 0 ] && echo "All tests passed." || echo "Some tests did not pass."
    exit $failed
}

# swift_tests ARGUMENTS…: runs the tests that were built. What failed runs once more on its own, and what fails then has failed; after a run
# that never ended all of it runs once more. What the thread sanitizer reports has failed, too, whatever it does the second time: a race that
# is not seen is still there.
swift_tests() {
    local first=$results again=$results-again suites
    run_swift_tests "$first" "$@" && return
    note "$step, the first time:" < <(failures_told "$first")
    if [ -e "$first.hung" ]; then
        unsteady="a run that did not end"
        printf '\nOnce more, all of it.\n'
        if ! run_swift_tests "$again" "$@"; then
            note "$step, the second time:" < <(failures_told "$again")
            return 1
        fi
        is_sanitized "$first"
        return
    fi
    suites=$(failed_tests "$first" | cut -f1 | sort -u | paste -sd' ')
    [ -n "$suites" ] || return 1
    printf '\nOnce more, on its own: %s\n' "$suites"
    if ! run_swift_tests "$again" --filter "^(${suites// /|})/"; then
        note "$step, the second time:" < <(failures_told "$again")
        return 1
    fi
    if [ -n "$(comm -23 <(failed_tests "$first" | sort -u) <(tests_run "$again" | sort -u))" ]; then
        note "$step, the second time:" <<<"Not all of them were run."
        return 1
    fi
    unsteady=$suites
    is_sanitized "$first"
}

run_swift_tests() {
    local into=$1 outcome=0
    shift
    rm -f "$into"-swift-testing.xml "$into".{events,hung}
    end_when_hung "$into" &
    local guard=$!
    "${swift_test[@]}" --xunit-output "$into.xml" --event-stream-output-path "$into.events" "$@" 2>&1 | tee "$into.txt" || outcome=1
    kill "$guard" 2>/dev/null || true
    wait "$guard" 2>/dev/null || true
    is_sanitized "$into" && [ $outcome -eq 0 ]
}

# Ends a run that takes longer than the limit, and leaves beside its results where each of its threads stood.
end_when_hung() {
    local into=$1 until=$((SECONDS + test_limit)) process processes
    while [ $SECONDS -lt $until ]; do
        sleep 2 >/dev/null 2>&1
        # Ctrl-C ended what this watches.
        kill -0 $$ 2>/dev/null || return
    done
    processes=$(pgrep -f -- "--event-stream-output-path $into.events") || return 0
    {
        ps -eo pid,ppid,etime,args | cut -c1-200
        for process in $processes; do
            printf '\n── Threads of %s ──\n' "$process"
            gdb --batch -p "$process" -ex "thread apply all backtrace" </dev/null ||
                lldb --batch -p "$process" -o "thread backtrace all" </dev/null ||
                echo "Neither gdb nor lldb can tell."
        done
    } 2>&1 | grep -v '^During symbol reading' >"$into.hung"
    # What the tests started, then all of the run at once: each would take the end of another for a reason to go on.
    pkill -KILL -P "$(paste -sd, <<<"$processes")" || true
    # shellcheck disable=SC2086
    kill -KILL $processes 2>/dev/null || true
}

is_sanitized() {
    ! grep -qE '(WARNING|ERROR): ThreadSanitizer' "$1.txt"
}

# The suite and the name of each test that failed.
failed_tests() {
    [ -e "$1-swift-testing.xml" ] || return 0
    awk -F'"' '/<testcase/ { test = $2 "\t" $4 } /<failure/ { print test }' "$1-swift-testing.xml"
}

tests_run() {
    awk -F'"' '/<testcase/ { print $2 "\t" $4 }' "$1-swift-testing.xml"
}

# The tests of which a case began and did not end.
unended_tests() {
    awk '
        match($0, /"testID":"([^"\\]|\\.)*"/) { test = substr($0, RSTART + 10, RLENGTH - 11); gsub(/\\\//, "/", test) }
        /"kind":"testCaseStarted"/ { count[test]++ }
        /"kind":"testCaseEnded"/ { count[test]-- }
        END { for (test in count) if (count[test] > 0) print test }
    ' "$1.events" | sort
}

# What was said of each failure: issues with their comments, crashes, what the thread sanitizer saw, what never ended.
failures_told() {
    if [ -e "$1.hung" ]; then
        echo "It was ended after $test_limit s; its threads are in $1.hung. What had not ended:"
        unended_tests "$1" | sed 's/^/  /' | grep . || echo "  nothing but the run itself"
    fi
    awk '
        /^✘ .* recorded an issue/ { print; isTold = 1; next }
        isTold && /^↳/ { print "  " $0; next }
        { isTold = 0 }
        /^(SUMMARY|ERROR): ThreadSanitizer|Fatal error: |^error: / && !told[$0]++
    ' "$1.txt" | swift demangle --simplified
}
