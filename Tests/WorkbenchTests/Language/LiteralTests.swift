import PluginTestKit
import Testing

/// Numbers, quantities and places as words and in expressions.
///
/// Expected values are calculated by hand; errors are compared as they are shown.
@Suite struct LiteralTests {
    @Test("numbers") func numbers() async throws {
        try await Transcript.check(
            #"""
            rutter> 1_200
            1200
            rutter> 1e3
            1000
            rutter> 1.5e-3
            0.0015
            rutter> -7
            -7
            rutter> +7
            7
            rutter> .5
            0.5
            rutter> -.25
            -0.25
            rutter> 9007199254740993
            9007199254740993
            rutter> -9223372036854775808
            -9223372036854775808
            rutter> 1e400
            error E-LITERAL: `1e400` is too large
              1e400
              ^^^^^
            fix: numbers go up to about 1.8e308
            rutter> 1_
            error E-LITERAL: `1_` is not a number
              1_
              ^^
            fix: quote text: '1_'
            rutter> 1__2
            error E-LITERAL: `1__2` is not a number
              1__2
              ^^^^
            fix: quote text: '1__2'
            rutter> 3abc
            error E-UNIT-UNKNOWN: `abc` is not a unit
              3abc
              ^^^^
            fix: quote text: '3abc'
            rutter> 5 km
            error E-SYNTAX: `k` cannot follow a value
              5 km
                ^
            fix: a quantity is one word: 5km
            rutter> 1 000
            error E-SYNTAX: `0` cannot follow a value
              1 000
                ^
            fix: a number is one word: 1_000
            rutter> -46.5S,7
            error E-LITERAL: `-46.5S` has both a sign and a letter
              -46.5S,7
              ^^^^^^^^
            fix: write -46.5 or 46.5S
            rutter> [1 - 1]
            error E-SYNTAX: `-` cannot separate the items of a list
              [1 - 1]
                 ^
            fix: put computations in brackets: [(2 - 1) 3]
            rutter> [1-1]
            error E-SYNTAX: `-` cannot separate the items of a list
              [1-1]
                ^
            fix: put computations in brackets: [(2 - 1) 3]
            rutter> 7 %2
            1
            rutter> 7%2
            1
            rutter> 7 % 2
            1
            rutter> 2%
            2%
            rutter> -7 % 3
            -1
            rutter> 7 / 2
            3.5
            rutter> 8 / 2
            4
            rutter> 9223372036854775807 + 1.0
            9223372036854775808
            rutter> 1/0
            error E-DIVISION-ZERO: division by zero
              1/0
              ^^^
            """#)
    }

    @Test("quantities and their algebra") func quantities() async throws {
        try await Transcript.check(
            #"""
            rutter> 2.5km
            2.5km
            rutter> 3mi
            3mi
            rutter> 400ft
            400ft
            rutter> 90deg
            90deg
            rutter> 4.5km/h
            4.5km/h
            rutter> 1.3m/s
            1.3m/s
            rutter> 1h30min
            1h30min
            rutter> 90min
            90min
            rutter> 1d2h
            26h
            rutter> 1min60s
            2min
            rutter> 20s
            20s
            rutter> 300ms
            300ms
            rutter> 2%
            2%
            rutter> 5cm
            5cm
            rutter> 7mm
            7mm
            rutter> 2yd
            2yd
            rutter> 1nmi
            1nmi
            rutter> 3kn
            3kn
            rutter> 440Hz
            440Hz
            rutter> 2kHz
            2kHz
            rutter> 1rad
            1rad
            rutter> 5mi/h
            5mi/h
            rutter> 10km/2h
            5km/h
            rutter> 10km/h * 2h
            20km
            rutter> 10km / 5km/h
            2h
            rutter> 2km + 300m
            2.3km
            rutter> 2km + 3km
            5km
            rutter> 300m + 2km
            2.3km
            rutter> 2km * 3
            6km
            rutter> 3 * 2km
            6km
            rutter> 2km / 4
            0.5km
            rutter> 2km / 500m
            4
            rutter> 2km % 300m
            200m
            rutter> 50% * 2km
            1km
            rutter> -(2km)
            -2km
            rutter> -2km + 500m
            -1.5km
            rutter> 2km * 3s
            error E-UNIT-DIMENSION: there is no unit for a length times a duration
              2km * 3s
              ^^^^^^^^
            rutter> 2km + 3s
            error E-UNIT-DIMENSION: a length and a duration cannot be combined with `+`
              2km + 3s
              ^^^^^^^^
            rutter> 2km + 3
            error E-UNIT-DIMENSION: a length and a bare number cannot be combined with `+`
              2km + 3
              ^^^^^^^
            fix: write the unit: 3m
            rutter> 3 + 2km
            error E-UNIT-DIMENSION: a bare number and a length cannot be combined with `+`
              3 + 2km
              ^^^^^^^
            fix: write the unit: 3m
            rutter> 5km2
            error E-LITERAL: `5km2` is not a number
              5km2
              ^^^^
            fix: quote text: '5km2'
            rutter> 5kn2
            error E-LITERAL: `5kn2` is not a number
              5kn2
              ^^^^
            fix: quote text: '5kn2'
            rutter> 1h30
            error E-LITERAL: `1h30` is not a quantity
              1h30
              ^^^^
            fix: minutes are `min`: 1h30min
            rutter> 30min1h
            error E-LITERAL: `30min1h` is not a number
              30min1h
              ^^^^^^^
            fix: quote text: '30min1h'
            rutter> 2km > 3s
            error E-UNIT-DIMENSION: a length cannot be compared with a duration
              2km > 3s
              ^^^^^^^^
            fix: write a length, such as 3m
            rutter> 2km > 3
            error E-UNIT-DIMENSION: a length cannot be compared with a bare number
              2km > 3
              ^^^^^^^
            fix: write the unit: 3m
            rutter> 3 > 2km
            error E-UNIT-DIMENSION: a bare number cannot be compared with a length
              3 > 2km
              ^^^^^^^
            fix: write the unit: 3m
            rutter> 0.5 > 50%
            error E-UNIT-DIMENSION: a bare number cannot be compared with a ratio
              0.5 > 50%
              ^^^^^^^^^
            fix: write the unit: 50%
            rutter> 1km == 1000m
            true
            rutter> 90s == 1min30s
            true
            rutter> 1e308km
            error E-LITERAL: `1e308km` is too large
              1e308km
              ^^^^^^^
            fix: numbers go up to about 1.8e308
            rutter> 5 + 20%
            error E-UNIT-DIMENSION: a bare number and a ratio cannot be combined with `+`
              5 + 20%
              ^^^^^^^
            fix: write the unit: 5%
            """#)
    }

    @Test("coordinates and boxes") func places() async throws {
        try await Transcript.check(
            #"""
            rutter> 46.5012,7.9876
            46.5012,7.9876
            rutter> -33.8688,151.2093
            -33.8688,151.2093
            rutter> 46.5N,7.98E
            46.5,7.98
            rutter> 33.8688S,151.2093E
            -33.8688,151.2093
            rutter> 40.7N,74W
            40.7,-74
            rutter> 46.5,7.98,1250m
            46.5,7.98,1250m
            rutter> 46.5,7.98,4000ft
            46.5,7.98,1219.2m
            rutter> 46.5deg,7.98deg
            46.5,7.98
            rutter> 46,7,47,8
            46,7,47,8
            rutter> -18,177,-16,-178
            -18,177,-16,-178
            rutter> 151.2093,-33.8688
            error E-COORDINATE: latitude 151.2093 is outside -90…90
              151.2093,-33.8688
              ^^^^^^^^^^^^^^^^^
            fix: latitude comes first; were the two swapped? -33.8688,151.2093
            rutter> 151.2093,-133.8688
            error E-COORDINATE: latitude 151.2093 is outside -90…90
              151.2093,-133.8688
              ^^^^^^^^^^^^^^^^^^
            rutter> 46.5,190
            error E-COORDINATE: longitude 190 is outside -180…180
              46.5,190
              ^^^^^^^^
            rutter> 47,7,46,8
            error E-COORDINATE: the box's south 47 is north of its north 46
              47,7,46,8
              ^^^^^^^^^
            fix: a box is south,west,north,east
            rutter> 100,7,101,8
            error E-COORDINATE: latitude 100 is outside -90…90
              100,7,101,8
              ^^^^^^^^^^^
            fix: a box is south,west,north,east; were latitude and longitude swapped?
            rutter> 46.5,7.98,1250
            error E-COORDINATE: `1250` is not an altitude
              46.5,7.98,1250
              ^^^^^^^^^^^^^^
            fix: write it as a length, such as 1250m; separate the items of a list by spaces: [1 2 3]
            rutter> 46.5N,7.98N
            error E-LITERAL: `7.98N` in `46.5N,7.98N` is not an angle
              46.5N,7.98N
              ^^^^^^^^^^^
            fix: write degrees, such as 46.5012 or 46.5E
            rutter> 46.5, 7.98
            error E-SYNTAX: `,` cannot follow a value
              46.5, 7.98
                  ^
            fix: a coordinate is one word without spaces: 46.5012,7.9876
            rutter> 46.5,7.98,
            error E-SYNTAX: `,` cannot follow a value
              46.5,7.98,
                       ^
            fix: a coordinate is one word without spaces: 46.5012,7.9876
            rutter> 1,2,3,4,5
            error E-LITERAL: `1,2,3,4,5` has too many commas
              1,2,3,4,5
              ^^^^^^^^^
            fix: separate the items of a list by spaces: [1 2 3]
            rutter> -18,177,-16,-178 | count
            error E-DATA-ROWS: `count` needs rows, not a box
              -18,177,-16,-178 | count
                                 ^^^^^
            fix: pipe rows to it: … | count
            rutter> (46.5,7.98,1250m).altitude
            1250m
            rutter> (46,7,47,8).center
            46.5,7.5
            rutter> 46.5,7.5 in 46,7,47,8
            true
            rutter> -17,179 in -18,177,-16,-178
            true
            rutter> -17,0 in -18,177,-16,-178
            false
            """#)
    }

    @Test("measured values show their digits") func digits() async throws {
        try await Transcript.check(
            #"""
            rutter> hut near 42.5,1.5 --quiet
            5km
            rutter> hut near 42.5,1.5 --quiet --radius 1234.5678m
            1.23km
            rutter> hut near 42.5,1.5 --quiet --radius 999.9m
            1km
            rutter> hut near 42.5,1.5 --quiet --radius 5mm
            0.005m
            rutter> set units imperial
            rutter> hut near 42.5,1.5 --quiet
            3.11mi
            rutter> hut near 42.5,1.5 --quiet --radius 100m
            328ft
            """#)
    }
}
