import PluginTestKit
import Testing

/// Arguments, options, command groups and settings.
///
/// Expected values are calculated by hand; errors are compared as they are shown.
@Suite struct OptionTests {
    @Test("options") func options() async throws {
        try await Transcript.check(
            #"""
            rutter> hut near 42.5,1.5 --radius 2km --limit 3 --tag a --tag 'b c' --mode cycling
            place   42.5,1.5
            radius  2km
            limit   3
            tags    [a 'b c']
            mode    cycling
            from
            rutter> hut near 42.5,1.5 --radius=2km --limit=3
            place   42.5,1.5
            radius  2km
            limit   3
            tags    []
            mode    hiking
            from
            rutter> hut near --radius 2km 42.5,1.5 --quiet
            2km
            rutter> hut near -33.8,151.2 --from -33.9,-151.2
            place   -33.8,151.2
            radius  5km
            limit
            tags    []
            mode    hiking
            from    -33.9,-151.2
            rutter> hut near 42.5,1.5 --radius
            error E-ARG-MISSING: `--radius` needs a value
              hut near 42.5,1.5 --radius
                                ^^^^^^^^
            fix: --radius LENGTH
            rutter> hut near 42.5,1.5 --radius --limit 3
            error E-ARG-MISSING: `--radius` needs a value
              hut near 42.5,1.5 --radius --limit 3
                                ^^^^^^^^
            fix: --radius LENGTH
            rutter> hut near 42.5,1.5 --radius= 2km
            error E-ARG-MISSING: `--radius` needs a value
              hut near 42.5,1.5 --radius= 2km
                                ^^^^^^^^
            fix: --radius LENGTH
            rutter> hut near 42.5,1.5 --radus 2km
            error E-OPTION-UNKNOWN: `hut near` has no option `--radus`
              hut near 42.5,1.5 --radus 2km
                                ^^^^^^^
            did you mean `--radius`?
            fix: its options are --radius, --limit, --tag, --mode, --from, --quiet
            rutter> hut near 42.5,1.5 -radius 2km
            error E-OPTION-UNKNOWN: `-radius` is not an option
              hut near 42.5,1.5 -radius 2km
                                ^^^^^^^
            fix: options begin with two dashes: --radius
            rutter> hut near 42.5,1.5 --radius 50
            error E-UNIT-DIMENSION: --radius is a length and needs a unit
              hut near 42.5,1.5 --radius 50
                                         ^^
            fix: write 50m
            rutter> hut near 42.5,1.5 --radius 50deg
            error E-UNIT-DIMENSION: --radius is a length, not an angle
              hut near 42.5,1.5 --radius 50deg
                                         ^^^^^
            fix: write it in m, km, cm, mm, mi, ft, yd, nmi
            rutter> hut near 42.5,1.5 --radius 200km
            error E-ARG-RANGE: --radius must be between 0m and 100km, not 200km
              hut near 42.5,1.5 --radius 200km
                                         ^^^^^
            fix: write 5km
            rutter> hut near 42.5,1.5 --radius 5x
            error E-UNIT-UNKNOWN: `x` is not a unit
              hut near 42.5,1.5 --radius 5x
                                         ^^
            fix: quote text: '5x'
            rutter> hut near 42.5,1.5 --limit 0
            error E-ARG-RANGE: --limit must be between 1 and 10, not 0
              hut near 42.5,1.5 --limit 0
                                        ^
            fix: write 1
            rutter> hut near 42.5,1.5 --limit 2.5
            error E-ARG-KIND: --limit takes a whole number, not 2.5
              hut near 42.5,1.5 --limit 2.5
                                        ^^^
            fix: write 5
            rutter> hut near 42.5,1.5 --limit many
            error E-ARG-KIND: --limit takes a whole number, not `many`
              hut near 42.5,1.5 --limit many
                                        ^^^^
            fix: write 5
            rutter> hut near 42.5,1.5 --mode hikin
            error E-ARG-CHOICE: `hikin` is not a mode
              hut near 42.5,1.5 --mode hikin
                                       ^^^^^
            did you mean `hiking`?
            fix: one of: hiking, cycling
            rutter> hut near 42.5,1.5 --quiet=yes
            error E-ARG-EXTRA: `--quiet` takes no value
              hut near 42.5,1.5 --quiet=yes
                                       ^
            fix: write --quiet, or leave it out
            rutter> hut near 42.5,1.5 --limit 3 --limit 4
            error E-ARG-REPEATED: repeated option `--limit`
              hut near 42.5,1.5 --limit 3 --limit 4
                                          ^^^^^^^
            rutter> hut near
            error E-ARG-MISSING: `hut near` needs place: where to look
              hut near
              ^^^^^^^^
            fix: usage: hut near PLACE [--radius LENGTH] [--limit N] [--tag TEXT…] [--mode hiking|cycling] [--from PLACE] [--quiet]
            rutter> hut near here
            error E-ARG-KIND: place takes a coordinate, not `here`
              hut near here
                       ^^^^
            fix: write LAT,LON such as 46.5012,7.9876, or @name for an item with a coordinate
            rutter> hut near 42.5,1.5 43,2
            error E-ARG-EXTRA: unexpected argument for `hut near`
              hut near 42.5,1.5 43,2
                                ^^^^
            fix: usage: hut near PLACE [--radius LENGTH] [--limit N] [--tag TEXT…] [--mode hiking|cycling] [--from PLACE] [--quiet]
            rutter> hut near 151.2,-33.8
            error E-COORDINATE: latitude 151.2 is outside -90…90
              hut near 151.2,-33.8
                       ^^^^^^^^^^^
            fix: latitude comes first; were the two swapped? -33.8,151.2
            rutter> hut near 42.5, 1.5
            error E-ARG-EXTRA: unexpected argument for `hut near`
              hut near 42.5, 1.5
                             ^^^
            fix: a coordinate is one word: hut near 42.5,1.5
            rutter> hut near (42.5,1.5) --radius (2km + 500m)
            place   42.5,1.5
            radius  2.5km
            limit
            tags    []
            mode    hiking
            from
            rutter> hut near [1 2]
            error E-ARG-KIND: place takes a coordinate, not a list
              hut near [1 2]
                       ^^^^^
            fix: write LAT,LON such as 46.5012,7.9876, or @name for an item with a coordinate
            rutter> hut
            error E-COMMAND-UNKNOWN: `hut` needs a second word
              hut
              ^^^
            fix: one of: add, broken, list, near, token
            rutter> hut naer 42.5,1.5
            error E-COMMAND-UNKNOWN: unknown command `hut naer`
              hut naer 42.5,1.5
              ^^^^^^^^
            did you mean `hut near`?
            fix: one of: add, broken, list, near, token
            rutter> huts list
            error E-COMMAND-UNKNOWN: unknown command `huts list`
              huts list
              ^^^^^^^^^
            did you mean `hut list`?
            rutter> hu
            error E-COMMAND-UNKNOWN: unknown command `hu`
              hu
              ^^
            did you mean `hut`?
            rutter> xyzzy
            error E-COMMAND-UNKNOWN: unknown command `xyzzy`
              xyzzy
              ^^^^^
            fix: `help commands` lists all of them
            rutter> set huts.reach 7
            error E-UNIT-DIMENSION: huts.reach is a length and needs a unit
              set huts.reach 7
                             ^
            fix: write 7m
            rutter> set huts.reach 7km
            rutter> set huts.reech 7km
            error E-SETTING-UNKNOWN: unknown setting `huts.reech`
              set huts.reech 7km
                  ^^^^^^^^^^
            did you mean `huts.reach`?
            fix: `set` lists them
            rutter> set width 10
            error E-ARG-RANGE: width must be between 20 and 1000, not 10
              set width 10
                        ^^
            fix: write 80
            rutter> set width eighty
            error E-ARG-KIND: width takes a whole number, not `eighty`
              set width eighty
                        ^^^^^^
            fix: write 80
            """#)
    }
}
