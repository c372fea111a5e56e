import PluginTestKit
import Testing

/// Operators, variables, fields and references.
///
/// Expected values are calculated by hand; errors are compared as they are shown.
@Suite struct ExpressionTests {
    @Test("operators") func operators() async throws {
        try await Transcript.check(
            #"""
            rutter> 1 + 2 * 3
            7
            rutter> (1 + 2) * 3
            9
            rutter> 2 - 1 - 1
            0
            rutter> 8 / 4 / 2
            1
            rutter> 2--1
            3
            rutter> - 5 + 3
            -2
            rutter> -(1 + 2)
            -3
            rutter> 1 < 2 and 2 < 3
            true
            rutter> 1 < 2 < 3
            error E-SYNTAX: comparisons cannot be chained
              1 < 2 < 3
                    ^
            fix: join them with `and`
            rutter> (1) < 2 < 3
            error E-SYNTAX: comparisons cannot be chained
              (1) < 2 < 3
                      ^
            fix: join them with `and`
            rutter> 1 == 1 == true
            error E-SYNTAX: comparisons cannot be chained
              1 == 1 == true
                     ^^
            fix: join them with `and`
            rutter> (1 < 2) == true
            true
            rutter> not (1 == 2)
            error E-COMMAND-UNKNOWN: unknown command `not`
              not (1 == 2)
              ^^^
            fix: put an expression that begins with a letter in brackets: (not …)
            rutter> (not 1 == 2)
            true
            rutter> 1 == 2 or 2 == 2 and 1 == 2
            false
            rutter> 1 and 2
            error E-TYPE: a condition must be true or false, not a number
              1 and 2
              ^
            fix: compare it with something: == != < <= > >= in =~
            rutter> 1 == 1 or 1/0 == 1
            true
            rutter> (true or $nope)
            true
            rutter> 'b' > 'a'
            true
            rutter> 'a' == 1
            error E-TYPE: text cannot be compared with a number
              'a' == 1
              ^^^^^^^^
            rutter> 5m * 1 == 5s * 1
            false
            rutter> 5m * 1 != 5s * 1
            true
            rutter> 'a' + 'b'
            ab
            rutter> [1] + [2 3]
            1
            2
            3
            rutter> 2 in [1 2 3]
            true
            rutter> 'lac' in 'le lac noir'
            true
            rutter> 2 in 3
            error E-TYPE: `in` needs a list, a box or, for a text, a text on the right, not a number
              2 in 3
              ^^^^^^
            rutter> 'Refugi' =~ '^ref'
            false
            rutter> 'Refugi' =~ '(?i)^ref'
            true
            rutter> 'Refugi' =~ '('
            error E-PATTERN: `(` is not a regular expression
              'Refugi' =~ '('
              ^^^^^^^^^^^^^^^
            rutter> 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaab' =~ '(a+)+$'
            error E-PATTERN: the pattern takes too long on a text of 38 characters
              'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaab' =~ '(a+)+$'
              ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
            fix: avoid nested repetition: (a+)+ is a+
            rutter> nothing
            error E-COMMAND-UNKNOWN: unknown command `nothing`
              nothing
              ^^^^^^^
            fix: put an expression that begins with a letter in brackets: (nothing)
            rutter> (nothing == nothing)
            true
            rutter> (nothing < 1)
            false
            rutter> (true)
            true
            rutter> (hut)
            error E-FIELD-UNKNOWN: `hut` is not a value: there are no rows here
              (hut)
              ^^^^^
            fix: quote text: 'hut'
            rutter> -'a'
            error E-TYPE: text cannot be negated
              -'a'
              ^^^^
            rutter> 1 + 'a'
            error E-TYPE: `+` is not defined for a number and text
              1 + 'a'
              ^^^^^^^
            fix: join texts: text(x)
            """#)
    }

    @Test("variables, fields and rows") func variables() async throws {
        try await Transcript.check(
            #"""
            rutter> $x
            error E-VARIABLE-UNKNOWN: unknown variable `$x`
              $x
              ^^
            fix: set it with: let x = …
            rutter> let x = 2km
            rutter> $x * 3
            6km
            rutter> $_
            6km
            rutter> $_ / 2
            3km
            rutter> let route = hut near 42.5,1.5
            rutter> $route.radius
            5km
            rutter> $route.radiu
            error E-FIELD-UNKNOWN: a record has no field `radiu`
              $route.radiu
              ^^^^^^^^^^^^
            did you mean `radius`?
            fix: known fields: place, radius, limit, tags, mode, from
            rutter> $route.tags
            (empty list)
            rutter> $route['mode']
            hiking
            rutter> $rout
            error E-VARIABLE-UNKNOWN: unknown variable `$rout`
              $rout
              ^^^^^
            did you mean `$route`?
            fix: set it with: let rout = …
            rutter> let 5 = 1
            error E-SYNTAX: `5` is not a valid variable name
              let 5 = 1
                  ^
            fix: a name is letters, digits and _, a letter first: let x = 5
            rutter> let _ = 1
            error E-SYNTAX: `_` is not a valid variable name
              let _ = 1
                  ^
            fix: a name is letters, digits and _, a letter first: let x = 5
            rutter> let x=7;$x
            7
            rutter> let t = tomorrow
            error E-COMMAND-UNKNOWN: unknown command `tomorrow`
              let t = tomorrow
                      ^^^^^^^^
            fix: put an expression that begins with a letter in brackets: (tomorrow)
            rutter> let l = [10 20 30]
            rutter> $l[0]
            10
            rutter> $l[-1]
            30
            rutter> $l[3]
            error E-INDEX: index 3 is out of range, length 3
              $l[3]
              ^^^^^
            fix: items are counted from 0
            rutter> $l[1.5]
            error E-INDEX: an index is a whole number, not a number
              $l[1.5]
              ^^^^^^^
            rutter> $l.name
            error E-FIELD-UNKNOWN: a list has no field `name`
              $l.name
              ^^^^^^^
            rutter> $x[0]
            error E-INDEX: a number has no items
              $x[0]
              ^^^^^
            rutter> let names = hut list
            rutter> $names.label
            Refugi de Juclà
            Spring
            Hut
            Twin
            Twin
            rutter> $names[1].label
            Spring
            rutter> $names[0].at
            42.6103,1.7196
            rutter> $names[2].at.altitude
            2130m
            rutter> hut list | where category == shelter and capacity > 10
            label            category  capacity
            Refugi de Juclà  shelter         50
            Hut              shelter         12
            rutter> hut list | where categry == shelter
            error E-FIELD-UNKNOWN: the rows have no field `categry`
              hut list | where categry == shelter
                               ^^^^^^^
            did you mean `category`?
            fix: known fields: id, label, category, at, capacity
            rutter> hut list | where category in [water camp] | count
            2
            rutter> hut list | where label =~ 'J' | first
            id        a1f3
            label     Refugi de Juclà
            category  shelter
            at        42.6103,1.7196
            capacity  50
            rutter> hut list | where capacity
            error E-TYPE: the condition is a number, not true or false
              hut list | where capacity
                               ^^^^^^^^
            fix: compare it with a value: capacity == 50
            rutter> hut list | where it.capacity > 20 | count
            1
            rutter> let
            name   kind    value
            _      number  1
            l      list    [10 20 30]
            names  table   [5 rows]
            route  record  {place: 42.5,1.5 radius: 5km limit: nothing tags: [] mode: hikin…
            x      number  7
            … cut: value (set view wide)
            """#)
    }

    @Test("references") func references() async throws {
        try await Transcript.check(
            #"""
            rutter> @Hut
            id        b200
            label     Hut
            category  shelter
            at        42.51,1.52,2130m
            capacity  12
            rutter> @Hut | get label
            Hut
            rutter> (@Hut).capacity + 1
            13
            rutter> (@"Refugi de Juclà").at
            42.6103,1.7196
            rutter> (@a1f3).label
            Refugi de Juclà
            rutter> @a1
            error E-REFERENCE-AMBIGUOUS: `a1` matches 2 objects
              @a1
              ^^^
            fix: one of: @"Refugi de Juclà" (shelter, a1f3), @Spring (water, a1c9)
            rutter> @Twin
            error E-REFERENCE-AMBIGUOUS: `Twin` matches 2 objects
              @Twin
              ^^^^^
            fix: one of: @c300 (shelter, c300), @c301 (camp, c301)
            rutter> @Hu
            error E-REFERENCE-UNKNOWN: unknown object `Hu`
              @Hu
              ^^^
            did you mean `@Hut`?
            rutter> @nothing
            error E-REFERENCE-UNKNOWN: unknown object `nothing`
              @nothing
              ^^^^^^^^
            rutter> @
            error E-SYNTAX: a name must follow `@`
              @
               ^
            fix: @Hut or @"Refugi de Juclà"
            rutter> @Hut.capacity
            12
            rutter> hut near @Hut --quiet
            5km
            rutter> hut near @"Refugi de Juclà"
            place   42.6103,1.7196
            radius  5km
            limit
            tags    []
            mode    hiking
            from
            rutter> hut near @Spring --from @Twin
            error E-REFERENCE-AMBIGUOUS: `Twin` matches 2 objects
              hut near @Spring --from @Twin
                                      ^^^^^
            fix: one of: @c300 (shelter, c300), @c301 (camp, c301)
            rutter> hut near 'Hut'
            error E-ARG-KIND: place takes a coordinate, not the text 'Hut'
              hut near 'Hut'
                       ^^^^^
            fix: write LAT,LON such as 46.5012,7.9876, or @name for an item with a coordinate
            rutter> let longitude = 1.5
            rutter> hut near "42.6,$longitude" --quiet
            5km
            rutter> hut near "42.6;$longitude"
            error E-ARG-KIND: place takes a coordinate, not the text '42.6;1.5'
              hut near "42.6;$longitude"
                       ^^^^^^^^^^^^^^^^^
            fix: write LAT,LON such as 46.5012,7.9876, or @name for an item with a coordinate
            rutter> @Hut in 42,1,43,2
            true
            """#)
    }
}
