# shellcheck shell=bash
# Functions for scripts that run suites of tests: `step` runs a command and records its outcome, `swift_tests` runs the Swift tests, `finish` prints
# the failures and a summary.

export LADING_STRICT=1 LADING_PROGRAM=1
results=$PWD/.build/results
# A thousand tests in parallel would wait for one another on a few threads, some of them for longer than their time limits.
swift_test=(swift test --skip-build --experimental-maximum-parallelization-width 6)
# The time limit of a run in seconds; a run takes three to five minutes.
test_limit=${LADING_TEST_LIMIT:-1200}
# The maximum number of lines about failures at the end.
findings_limit=30

summary=()
findings=()
failed=0
# The name of the current step, and its tests that passed only when they were repeated.
step=
flaky=

# step NAME COMMAND…: runs a command and records its outcome.
step() {
    local name=$1 start=$SECONDS outcome=ok
    step=$name flaky=
    shift
    printf '\n── %s ──\n' "$name"
    "$@" || { outcome=FAILED failed=1; }
    summary+=("$(printf '%-22s %-7s %4d s%s' "$name" "$outcome" $((SECONDS - start)) "${flaky:+, only when repeated: $flaky}")")
    [ "$outcome" = ok ]
}

# add_finding TITLE: stores the lines of standard input for the end.
add_finding() {
    local lines=() line
    while IFS= read -r line; do lines+=("$line"); done
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

# swift_tests ARGUMENTS…: runs the tests that were built. Failed tests are repeated once by themselves, and fail if they fail again; after a run
# that was killed all tests are repeated. A report of the thread sanitizer is a failure, whatever the result of the second run: a race that does
# not occur is still there.
swift_tests() {
    local first=$results rerun=$results-rerun suites
    run_swift_tests "$first" "$@" && return
    add_finding "$step, the first time:" < <(failure_messages "$first")
    if [ -e "$first.hung" ]; then
        flaky="a run that was killed"
        printf '\nRepeating all tests.\n'
        if ! run_swift_tests "$rerun" "$@"; then
            add_finding "$step, the second time:" < <(failure_messages "$rerun")
            return 1
        fi
        has_no_races "$first"
        return
    fi
    suites=$(failed_tests "$first" | cut -f1 | sort -u | paste -s -d' ' -)
    [ -n "$suites" ] || return 1
    printf '\nRepeating by themselves: %s\n' "$suites"
    if ! run_swift_tests "$rerun" --filter "^(${suites// /|})/"; then
        add_finding "$step, the second time:" < <(failure_messages "$rerun")
        return 1
    fi
    if [ -n "$(comm -23 <(failed_tests "$first" | sort -u) <(tests_run "$rerun" | sort -u))" ]; then
        add_finding "$step, the second time:" <<<"Not all of them were run."
        return 1
    fi
    flaky=$suites
    has_no_races "$first"
}

run_swift_tests() {
    local into=$1 outcome=0
    shift
    rm -f "$into"-swift-testing.xml "$into".{events,hung}
    kill_when_hung "$into" &
    local watchdog=$!
    "${swift_test[@]}" --xunit-output "$into.xml" --event-stream-output-path "$into.events" "$@" 2>&1 | tee "$into.txt" || outcome=1
    kill "$watchdog" 2>/dev/null || true
    wait "$watchdog" 2>/dev/null || true
    has_no_races "$into" && [ $outcome -eq 0 ]
}

# Kills a run that exceeds the time limit, and stores the backtraces of its threads beside its results.
kill_when_hung() {
    local into=$1 until=$((SECONDS + test_limit)) process processes
    while [ $SECONDS -lt $until ]; do
        sleep 2 >/dev/null 2>&1
        # The script was interrupted.
        kill -0 $$ 2>/dev/null || return
    done
    processes=$(pgrep -f -- "--event-stream-output-path $into.events") || return 0
    {
        ps -eo pid,ppid,etime,args | cut -c1-200
        for process in $processes; do
            printf '\n── Threads of %s ──\n' "$process"
            gdb --batch -p "$process" -ex "thread apply all backtrace" </dev/null ||
                lldb --batch -p "$process" -o "thread backtrace all" </dev/null ||
                echo "Neither gdb nor lldb is available."
        done
    } 2>&1 | grep -v '^During symbol reading' >"$into.hung"
    # First the children of the tests, then all processes of the run at once: each would continue after the end of another.
    pkill -KILL -P "$(paste -s -d, - <<<"$processes")" || true
    # shellcheck disable=SC2086
    kill -KILL $processes 2>/dev/null || true
}

has_no_races() {
    ! grep -qE '(WARNING|ERROR): ThreadSanitizer' "$1.txt"
}

# Prints the suite and the name of each failed test.
failed_tests() {
    [ -e "$1-swift-testing.xml" ] || return 0
    awk -F'"' '/<testcase/ { test = $2 "\t" $4 } /<failure/ { print test }' "$1-swift-testing.xml"
}

tests_run() {
    awk -F'"' '/<testcase/ { print $2 "\t" $4 }' "$1-swift-testing.xml"
}

# Prints the tests with cases that have started and not ended.
unfinished_tests() {
    awk '
        match($0, /"testID":"([^"\\]|\\.)*"/) { test = substr($0, RSTART + 10, RLENGTH - 11); gsub(/\\\//, "/", test) }
        /"kind":"testCaseStarted"/ { count[test]++ }
        /"kind":"testCaseEnded"/ { count[test]-- }
        END { for (test in count) if (count[test] > 0) print test }
    ' "$1.events" | sort
}

# Prints the messages of failures: issues with their comments, crashes, reports of the thread sanitizer, unfinished tests.
failure_messages() {
    if [ -e "$1.hung" ]; then
        echo "The run was killed after $test_limit s; its threads are in $1.hung. Unfinished tests:"
        unfinished_tests "$1" | sed 's/^/  /' | grep . || echo "  none"
    fi
    awk '
        /^✘ .* recorded an issue/ { print; isIssue = 1; next }
        isIssue && /^↳/ { print "  " $0; next }
        { isIssue = 0 }
        /^(SUMMARY|ERROR): ThreadSanitizer|Fatal error: |^error: / && !isPrinted[$0]++
    ' "$1.txt" | swift demangle --simplified
}
