import PluginTestKit
import Testing

/// The commands of the session.
///
/// Expected values are calculated by hand; errors are compared as they are shown.
@Suite struct SessionTests {
    @Test("commands of the session") func session() async throws {
        try await Transcript.check(
            #"""
            rutter> seed 42
            rutter> hut token
            id      15780b2e-0c2e-4716-a104-d9866d113a7e
            number  0.6800434110281394
            rutter> hut token
            id      ecb8ad47-03b3-40a1-bde6-dc7fe2ec5e64
            number  0.7697394604342425
            rutter> seed 42
            rutter> hut token
            id      15780b2e-0c2e-4716-a104-d9866d113a7e
            number  0.6800434110281394
            rutter> seed 7
            rutter> hut token
            id      b358faf7-4ef9-465a-875c-3d964f482cd2
            number  0.8396274618764198
            rutter> seed
            error E-ARG-MISSING: `seed` needs number: new seed
              seed
              ^^^^
            fix: usage: seed NUMBER
            rutter> seed -1
            error E-ARG-RANGE: number must be at least 0, not -1
              seed -1
                   ^^
            fix: write 0
            rutter> undo
            error E-UNDO-NOTHING: nothing to undo
              undo
              ^^^^
            rutter> hut add New
            id        fb293873
            label     New
            category  shelter
            at        42,1
            capacity  1
            rutter> hut add New
            error E-HUT-TAKEN: there is a hut `New` already
              hut add New
                      ^^^
            rutter> undo
            undone: added hut New
            rutter> undo
            error E-UNDO-NOTHING: nothing to undo
              undo
              ^^^^
            rutter> hut list | where label == New | count
            0
            rutter> trace hut token
            step  kind  values                                   why
               1  draw  {id: 'df6e1ce3-b621-4c49-8f8d-72c295ec…  an identifier was asked for
               2  draw  {number: 0.1044357892428116}             a number was asked for
            … cut: values (set view wide)
            rutter> let t = trace --limit 1 hut token; $t | count
            1
            rutter> let t = trace --limit 1 hut token; $t | where kind == draw | select step kind
            step  kind
               1  draw
            incomplete, 1 row left out: the limit of a trace was reached; raise it with --limit
            rutter> let t = trace 1 + 1; $t | count
            0
            rutter> assert 2km > 300m
            rutter> assert 2km > 3km
            error E-ASSERT: `2km > 3km` is false
              assert 2km > 3km
                     ^^^^^^^^^
            rutter> let x = 3
            rutter> assert $x == 3
            rutter> assert $x
            error E-ASSERT: `$x` is false
              assert $x
                     ^^
            rutter> [1 2 3] | count | assert it == 3
            rutter> [1 2 3] | count | assert it == 4
            error E-ASSERT: `it == 4` is false: it is 3
              [1 2 3] | count | assert it == 4
                                       ^^^^^^^
            rutter> expect-error E-UNIT-DIMENSION 2km > 3s
            a length cannot be compared with a duration
            rutter> expect-error E-TYPE 2km > 3s
            error E-EXPECTED: failed with E-UNIT-DIMENSION, not E-TYPE: a length cannot be compared with a duration
              expect-error E-TYPE 2km > 3s
                           ^^^^^^
            rutter> expect-error E-TYPE 1 + 1
            error E-EXPECTED: the pipeline succeeded; expected E-TYPE
              expect-error E-TYPE 1 + 1
                                  ^^^^^
            rutter> expect-error E-HUT-TAKEN hut add Hut
            there is a hut `Hut` already
            rutter> explain E-HUT-TAKEN
            E-HUT-TAKEN: a hut has this name

            Choose another name.
            rutter> explain e-unit-dimension
            E-UNIT-DIMENSION: incompatible units

            Quantities can be added and compared only with quantities of the same dimension,
            and a parameter takes only quantities of its own: a radius is a length such as
            2km, never a bare number.
            rutter> explain E-UNIT
            error E-EXPLAIN-UNKNOWN: unknown error code `E-UNIT`
              explain E-UNIT
                      ^^^^^^
            did you mean `E-UNIT-DIMENSION`?
            rutter> help hut
            hut: 5 commands
              hut add     add a hut
              hut broken  throw an unforeseen error
              hut list    list the huts
              hut near    show how a call was parsed
              hut token   return a random identifier and number, and a trace
            rutter> help hut add
            hut add: add a hut

            usage
              hut add LABEL

            parameters
              LABEL  its name

            input: nothing; output: hut; changes the workspace

            examples
              # one
              hut add New
            rutter> help abracadabra
            error E-HELP-NOTHING: no help for `abracadabra`
              help abracadabra
                   ^^^^^^^^^^^
            fix: `help commands` lists all commands
            rutter> hut broken
            error E-INTERNAL: Surprise()
              hut broken
              ^^^^^^^^^^
            rutter> hut list | where capacity
            error E-TYPE: the condition is a number, not true or false
              hut list | where capacity
                               ^^^^^^^^
            fix: compare it with a value: capacity == 50
            rutter> let bad = hut list | where categry == 1
            rutter> $bad
            error E-FIELD-UNKNOWN: the rows have no field `categry`
            did you mean `category`?
            fix: known fields: id, label, category, at, capacity
            rutter> hut list | where categry == 1
            error E-FIELD-UNKNOWN: the rows have no field `categry`
              hut list | where categry == 1
                               ^^^^^^^
            did you mean `category`?
            fix: known fields: id, label, category, at, capacity
            rutter> history | first 2
            entry  input
                1  seed 42
                2  hut token
            rutter> set | where setting == units
            setting  value   default  help
            units    metric  metric   units of lengths in output
            rutter> set units imperial
            rutter> 100m
            328.084ft
            rutter> 5km
            3.10686mi
            rutter> 10km/h
            6.21371mi/h
            rutter> "high: ${x}"
            high: 3
            rutter> 2km + 1m
            1.24336mi
            rutter> 90deg
            90deg
            rutter> set units metric
            rutter> let | where name == x
            name  kind    value
            x     number  3
            rutter> quit; 1 + 1
            """#)
    }

    @Test("errors under wide characters, tabs and lines") func underlines() async throws {
        try await Transcript.check(
            #"""
            rutter> '東京' + 5; 'é' + 5
            error E-TYPE: `+` is not defined for text and a number
              '東京' + 5; 'é' + 5
              ^^^^^^^^^^
            fix: join texts: text(x)
            rutter> let 東京 = 5 + 'é'
            error E-TYPE: `+` is not defined for a number and text
              let 東京 = 5 + 'é'
                         ^^^^^^^
            fix: join texts: text(x)
            rutter> 	1 + 'a'
            error E-TYPE: `+` is not defined for a number and text
              ·1 + 'a'
               ^^^^^^^
            fix: join texts: text(x)
            rutter> 1 + 1
               ...> 2 + 'a'
               ...> 3
            2
            error E-TYPE: `+` is not defined for a number and text
              2 + 'a'
              ^^^^^^^
            fix: join texts: text(x)
            rutter> 'x' + [1
               ...> 2]
            error E-TYPE: `+` is not defined for text and a list
              'x' + [1
              ^^^^^^^^
            fix: join texts: text(x)
            """#)
    }

    /// Values that are cheap to create must be cheap to show, too.
    @Test(.timeLimit(.minutes(10))) func valuesStaySmallEnoughToBeShown() async throws {
        let session = try TestSession()
        await session.run("let x = [1]")
        for _ in 0..<300 { await session.run("let x = [$x]") }
        #expect(await session.result("let x = [$x]").failure?.code == "E-TYPE")
        await session.run("let y = [1 2]")
        for _ in 0..<60 { await session.run("let y = [$y $y]") }
        #expect(await session.result("let y = [$y $y]").failure?.code == "E-TYPE")
        #expect(await session.run("$y == $y") == "true")
    }

    @Test(arguments: ["clock +1e300s", "clock 9999-12-31", "clock 0000-01-01"])
    func theClockKeepsToYearsThatCanBeWritten(entry: String) async throws {
        let session = try TestSession()
        #expect(await session.result(entry).failure?.code == "E-CLOCK")
        await session.run("clock 9998-12-31T23:59:59")
        #expect(await session.run("(tomorrow)") == "9999-01-01")
        await session.run("clock 0001-01-01")
        #expect(await session.run("(yesterday)") == "0000-12-31")
    }
}
