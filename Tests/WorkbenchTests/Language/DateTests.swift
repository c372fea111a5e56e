import PluginTestKit
import Testing

/// Times in the session's zone; Europe/Zurich puts its clocks forward on 2026-03-29 and back on 2026-10-25.
///
/// Expected values are calculated by hand; errors are compared as they are shown.
@Suite struct DateTests {
    @Test("times") func times() async throws {
        try await Transcript.check(
            #"""
            rutter> set timezone Europe/Zurich
            rutter> 2026-02-06T08:15
            2026-02-06T08:15:00+01:00
            rutter> 2026-02-06T08:15Z
            2026-02-06T09:15:00+01:00
            rutter> 2026-02-06T08:15:30.250+05:30
            2026-02-06T03:45:30.250+01:00
            rutter> 2026-02-06
            2026-02-06
            rutter> 08:15
            2026-02-06T08:15:00+01:00
            rutter> (now)
            2026-02-06T09:00:00+01:00
            rutter> (today)
            2026-02-06
            rutter> (tomorrow)
            2026-02-07
            rutter> (yesterday)
            2026-02-05
            rutter> (tomorrow) - (today)
            24h
            rutter> 2026-03-29T01:59
            2026-03-29T01:59:00+01:00
            rutter> 2026-03-29T02:30
            2026-03-29T03:30:00+02:00
            rutter> 2026-03-29T03:00
            2026-03-29T03:00:00+02:00
            rutter> 2026-10-25T02:30
            2026-10-25T02:30:00+02:00
            rutter> 2026-10-25T02:30+01:00
            2026-10-25T02:30:00+01:00
            rutter> 2026-10-25T02:30 + 1h
            2026-10-25T02:30:00+01:00
            rutter> 2026-10-26 - 2026-10-25
            25h
            rutter> 2026-03-30 - 2026-03-29
            23h
            rutter> (now) < tomorrow
            true
            rutter> 2026-02-06T08:15 - 90min
            2026-02-06T06:45:00+01:00
            rutter> 2026-02-30
            error E-LITERAL: `2026-02-30` is not a calendar date
              2026-02-30
              ^^^^^^^^^^
            fix: write 2026-02-06 or 2026-02-06T08:15
            rutter> 2026-2-6
            error E-LITERAL: `2026-2-6` is not a date
              2026-2-6
              ^^^^^^^^
            fix: write 2026-02-06; a subtraction has spaces around its sign
            rutter> 25:00
            error E-LITERAL: `25:00` is not a time of day
              25:00
              ^^^^^
            fix: write 08:15 or 08:15:30
            rutter> 8:15
            error E-SYNTAX: `:` cannot follow a value
              8:15
               ^
            fix: a time of day has two digits each: 08:15
            rutter> 2026-02-06 + 5
            error E-TYPE: `+` is not defined for a date and a number
              2026-02-06 + 5
              ^^^^^^^^^^^^^^
            rutter> 2026-02-06 + 2026-02-07
            error E-TYPE: `+` is not defined for a date and a date
              2026-02-06 + 2026-02-07
              ^^^^^^^^^^^^^^^^^^^^^^^
            rutter> 9999-12-31 + 1d
            error E-TYPE: the date is outside the years 0…9999
              9999-12-31 + 1d
              ^^^^^^^^^^^^^^^
            rutter> 1800-01-01T00:00
            1800-01-01
            rutter> "at ${_}"
            at 1800-01-01
            rutter> 1800-01-01T00:10
            1800-01-01T00:10:00+00:34:08
            rutter> 1800-01-01T00:10:00+00:34:08 == 1800-01-01T00:10
            true
            rutter> set timezone Europe/Zurick
            error E-ARG-CHOICE: `Europe/Zurick` is not a time zone
              set timezone Europe/Zurick
                           ^^^^^^^^^^^^^
            did you mean `Europe/Zurich`?
            fix: use a name of the tz database, such as Europe/Zurich
            rutter> set timezone UTC
            rutter> clock 2026-10-25T00:30Z
            2026-10-25T00:30:00Z
            rutter> clock +10min
            2026-10-25T00:40:00Z
            rutter> clock
            2026-10-25T00:40:00Z
            rutter> clock -10min
            error E-CLOCK: the clock cannot move back
              clock -10min
                    ^^^^^^
            fix: set it: clock TIME
            rutter> clock soon
            error E-CLOCK: `clock` takes a time or a duration, not the text 'soon'
              clock soon
                    ^^^^
            fix: clock 2026-02-06T08:15 or clock +10min
            """#)
    }

    @Test("careless dates") func carelessDates() async throws {
        try await Transcript.check(
            #"""
            rutter> 2026-2-6
            error E-LITERAL: `2026-2-6` is not a date
              2026-2-6
              ^^^^^^^^
            fix: write 2026-02-06; a subtraction has spaces around its sign
            rutter> 2026-12-6
            error E-LITERAL: `2026-12-6` is not a date
              2026-12-6
              ^^^^^^^^^
            fix: write 2026-02-06; a subtraction has spaces around its sign
            rutter> first 2026-2-6
            error E-LITERAL: `2026-2-6` is not a date
              first 2026-2-6
                    ^^^^^^^^
            fix: write 2026-02-06; a subtraction has spaces around its sign
            rutter> 2026 - 2 - 6
            2018
            """#)
    }
}
