import Foundation
import Geodesy
import PluginKit
import Testing

@testable import Workbench

/// Functions of expressions.
@Suite struct FunctionTests {
    @Test("the example of every function returns its documented result")
    func examples() async throws {
        let data = try DataSession()
        for function in FunctionLibrary.all {
            #expect(!function.examples.isEmpty)
            for example in function.examples {
                #expect(await data.run(example.line) == example.gives, "\(example.line)")
            }
        }
    }

    @Test func everyFunctionHasHelpAndIsCompleted() async throws {
        let data = try DataSession()
        let list = await data.run("help functions")
        for function in FunctionLibrary.all {
            #expect(list.contains(function.usage))
            #expect(await data.run("help \(function.name)").contains(function.usage))
            let candidates = await data.session.completions(of: "[1] | each \(function.name.prefix(2))")
                .candidates
            #expect(candidates.contains { $0.replacement == function.name + "(" }, "\(function.name)")
        }
    }

    @Test(
        "rounding agrees with decimals as they are printed",
        arguments: [
            ("round(2.675, 2)", "2.68"), ("round(-2.5)", "-3"), ("round(1234.5, -2)", "1200"),
            ("floor(-1.5)", "-2"),
            ("ceil(0.1 + 0.2, 1)", "0.3"), ("round(1655.4m)", "1655m"),
            ("round(6h44min57s, 1min)", "6h45min"),
            ("round(7, 2)", "7"), ("round(nothing)", ""),
        ])
    func rounding(line: String, output: String) async throws {
        #expect(await (try DataSession()).run(line) == output)
    }

    /// Expected values are worked out by hand and with a calendar.
    @Test(arguments: [
        ("2024-02-29 + 1 year", "2025-02-28"), ("2026-03-31 - 1 month", "2026-02-28"),
        ("2026-01-31 + 13 months", "2027-02-28"), ("2026-12-31 + 1 day", "2027-01-01"),
        ("2026-02-06T08:15 - 2 weeks", "2026-01-23T08:15:00Z"), ("weekday(2000-01-01)", "6"),
        ("weekday(1969-12-29)", "1"), ("year('2026-02-06T23:30:00-05:00')", "2026"),
        ("day('2026-02-06T23:30:00-05:00')", "7"),
    ])
    func calendar(line: String, output: String) async throws {
        #expect(await (try DataSession()).run(line) == output)
    }

    @Test func aCalendarDayIsNotAlways24Hours() async throws {
        let data = try DataSession()
        _ = await data.run("set timezone Europe/Zurich")
        // The clocks are put forward on 29 March 2026.
        #expect(await data.run("2026-03-28T12:00 + 1 day") == "2026-03-29T12:00:00+02:00")
        #expect(await data.run("2026-03-28T12:00 + 1d") == "2026-03-29T13:00:00+02:00")
        #expect(await data.run("hour(2026-03-29T12:00Z)") == "14")
    }

    @Test(arguments: [
        ("nosuch(1)", "E-FUNCTION-UNKNOWN"), ("rond(1.5)", "E-FUNCTION-UNKNOWN"),
        ("round()", "E-FUNCTION-ARGS"),
        ("min(1,2) + 1", "E-FUNCTION-KIND"), ("max(1,2)", "E-FUNCTION-KIND"),
        ("sqrt(1, 2)", "E-FUNCTION-ARGS"), ("sqrt(-1)", "E-FUNCTION-KIND"),
        ("upper(3)", "E-FUNCTION-KIND"), ("year(3)", "E-FUNCTION-KIND"),
        ("parse('tomorrow')", "E-FUNCTION-KIND"),
        ("bearing(3, 4)", "E-FUNCTION-KIND"), ("mean(3)", "E-AGGREGATE"), ("2km in kg", "E-UNIT-DIMENSION"),
        ("2km in min", "E-UNIT-DIMENSION"), ("3 + 1 month", "E-TYPE"), ("round(2km, 3s)", "E-FUNCTION-KIND"),
        ("min(2km, 3s)", "E-UNIT-DIMENSION"), ("round(1", "E-SYNTAX-UNFINISHED"), ("round(1 2)", "E-SYNTAX"),
    ])
    func errors(line: String, code: String) async throws {
        #expect(await (try DataSession()).code(line) == code, "\(line)")
    }

    @Test func quantitiesAreConvertedForDisplay() async throws {
        let data = try DataSession()
        #expect(await data.run("5km in mi") == "3.10686mi")
        #expect(await data.run("36km/h in m/s") == "10m/s")
        #expect(await data.run("(5km in mi) == 5km") == "true")
        #expect(await data.run("[{d: 1500m}] | extend km=d in km | get km") == "1.5km")
        #expect(await data.run("3 in [1 2 3]") == "true")
    }

    @Test func whatIsComputedFromSomethingUnknownIsUnknown() async throws {
        let data = try DataSession()
        for line in [
            "nothing + 1", "2km * nothing", "-(nothing)", "upper(nothing)", "distance(1,2, nothing)",
        ] {
            #expect(await data.run("(\(line)) == nothing") == "true", "\(line)")
        }
    }

    @Test func decimalsCompareAsTheyArePrinted() async throws {
        let data = try DataSession()
        #expect(await data.run("0.1 + 0.2 == 0.3") == "true")
        #expect(await data.run("0.1 + 0.2 <= 0.3") == "true")
        #expect(await data.run("0.1 + 0.2 > 0.3") == "false")
        #expect(await data.run("0.1km + 0.2km == 300m") == "true")
        #expect(await data.run("[0.3] | where it in [(0.1 + 0.2)] | count") == "1")
        #expect(await data.run("[(0.1 + 0.2) 0.3] | unique | count") == "1")
        #expect(await data.run("1.0000000000001 == 1") == "false")
    }

    @Test(arguments: [
        "9223372036854775807 + 1", "-9223372036854775807 - 2", "4611686018427387904 * 2",
        "(-9223372036854775807 - 1) / -1", "abs(-9223372036854775807 - 1)",
    ])
    func wholeNumbersAreExact(line: String) async throws {
        #expect(await (try DataSession()).code(line) == "E-OVERFLOW", "\(line)")
    }

    @Test(
        "the mean of bearings is taken on the circle",
        arguments: [
            ("[10deg 350deg]", "0deg"), ("[350deg 10deg 30deg]", "10deg"), ("[90deg 180deg]", "135deg"),
            ("[0deg 180deg]", ""), ("[0deg 90deg 180deg 270deg]", ""),
            ("[42.5deg 43deg 43deg]", "42.8333333333333deg"),
            ("[-10deg 20deg]", "5deg"), ("[350deg]", "350deg"),
            // Three northward and two southward directions: vectors, as SciPy's circmean; one contrary value does not turn the mean.
            ("[0deg 0deg 180deg]", "0deg"), ("[45deg 45deg 45deg 225deg]", "45deg"),
        ])
    func circularMean(list: String, output: String) async throws {
        #expect(await (try DataSession()).run("\(list) | mean") == output)
        #expect(await (try DataSession()).run("\(list) | summarize m=mean(it) | first | get m") == output)
    }
}
