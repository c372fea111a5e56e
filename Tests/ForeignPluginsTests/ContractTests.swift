import Foundation
import PluginKit
import PluginTestKit
import Testing

@testable import ForeignPlugins

/// A command's declaration is enforced at each call: violations are rejected before anything runs.
@Suite(.patient, .timeLimit(.minutes(10)))
struct ContractTests {
    @Test(arguments: [
        ("nothing", ["hostile do"], ["5 | hostile do"]),
        ("any", ["5 | hostile do", "range 1 3 | hostile do"], ["hostile do"]),
        (
            "rows", ["range 1 3 | hostile do", "[46.5,7.9 46.6,7.8] | hostile do", "[] | hostile do"],
            ["hostile do", "2km | hostile do", "46.5,7.9 | hostile do"]
        ),
        ("optional rows", ["hostile do", "range 1 3 | hostile do"], ["2km | hostile do"]),
        (
            "rows: a", [#"'[{"b":1,"a":2}]' | from json | hostile do"#],
            [#"'[{"b":1}]' | from json | hostile do"#, "range 1 3 | hostile do"]
        ),
        ("number", ["5 | hostile do", "0.5 | hostile do"], ["'x' | hostile do", "5m | hostile do"]),
        ("length", ["5m | hostile do"], ["5s | hostile do", "5 | hostile do"]),
        ("record", [#"'{"a":1}' | from json | hostile do"#], ["[] | hostile do"]),
    ])
    func whatIsTaken(_ takes: String, _ fitting: [String], _ refused: [String]) async throws {
        let session = try await ForeignSession.scripted(
            ForeignSession.command(#","takes":"\#(takes)""#), result: #"{"value":1}"#)
        for entry in fitting { #expect(await session.test.run(entry) == "1", "\(takes): \(entry)") }
        for entry in refused {
            let result = await session.test.result(entry)
            #expect(result.failure?.code == "E-INPUT-KIND", "\(takes): \(entry): \(result.text)")
            // What takes nothing is refused before the plugin is asked.
            let who =
                takes == "nothing" ? "`hostile do` takes " : "`hostile do` of the plugin `hostile` takes "
            #expect(result.failure?.message.contains(who) == true, "\(result.text)")
            #expect(result.failure?.fix != nil)
        }
        await session.test.session.close()
    }

    @Test(arguments: [
        ("any", #""x""#, true), ("nothing", "null", true), ("nothing", "1", false), ("number", "1.5", true),
        ("number", #""x""#, false), ("text", "null", false), ("optional text", "null", true),
        ("rows", "[1,2]", true), ("rows", "1", false), ("rows: a b", #"[{"a":1,"b":2}]"#, true),
        ("rows: a b", "[]", true), ("rows: a b", #"[{"a":1,"c":2}]"#, false),
        ("rows: a b", #"{"$table":{"columns":["b","a"],"rows":[]}}"#, false),
        ("length", #"{"$quantity":[1,"km"]}"#, true), ("length", #"{"$quantity":[1,"s"]}"#, false),
        ("list", #"{"$table":{"columns":["a"],"rows":[]}}"#, false), ("list", "[1]", true),
        ("list", #"{"$line":[[46,7],[46,8]]}"#, true), ("line", #"{"$line":[[46,7],[46,8]]}"#, true),
        ("tide", #"{"$object":{"type":"tide","fields":{}}}"#, true), ("tide", #"{"a":1}"#, false),
        ("record", #"{"a":1}"#, true),
    ])
    func whatIsGiven(_ gives: String, _ value: String, _ fits: Bool) async throws {
        let session = try await ForeignSession.scripted(
            ForeignSession.command(#","gives":"\#(gives)""#), result: #"{"value":\#(value)}"#)
        let result = await session.test.result("hostile do")
        #expect(result.failure?.code == (fits ? nil : "E-PLUGIN-ANSWER"), "\(result.text)")
        if !fits {
            #expect(
                result.failure?.message.contains("the plugin `hostile`") == true
                    && result.text.contains("`hostile do` declares the output"), "\(result.text)")
        }
        await session.test.session.close()
    }

    @Test func theSameRows() async throws {
        let keys = #","takes":"rows","gives":"same rows""#
        let session = try await ForeignSession.scripted(
            ForeignSession.command(keys), result: #"{"value":{"$table":{"columns":["a"],"rows":[[1]]}}}"#)
        let two = #"'[{"a":1},{"a":2}]' | from json | hostile do"#
        #expect(await session.test.result(two).failure == nil)
        for wrong in [#"'[{"b":1}]' | from json | hostile do"#, "[] | hostile do"] {
            #expect(await session.test.result(wrong).failure?.code == "E-PLUGIN-ANSWER", "\(wrong)")
        }
        await session.test.session.close()
    }

    @Test func optionsAreRequiredAndRepeat() async throws {
        let session = try await ForeignSession.scripted(
            ForeignSession.command(
                #","parameters":[{"name":"x","kind":"option","type":"integer","summary":"how many","required":true},"#
                    + #"{"name":"y","kind":"option","type":"text","summary":"words","repeats":true}]"#,
                example: "hostile do --x 1"))
        let missing = await session.test.result("hostile do")
        #expect(missing.failure?.code == "E-ARG-MISSING", "\(missing.text)")
        #expect(missing.failure?.message == "`hostile do` needs --x: how many")
        #expect(await session.test.run("(hostile do --x 3).arguments | to json") == #"{"x": 3, "y": []}"#)
        #expect(
            await session.test.run("(hostile do --x 3 --y a --y b).arguments.y | to json") == #"["a", "b"]"#)
        await session.test.session.close()
    }

    /// A line that is not a message is quoted, with a fix.
    @Test func aStrayPrintIsQuoted() async throws {
        let session = try await ForeignSession.scripted(ForeignSession.command(), line: "got 3 rows")
        let result = await session.test.result("hostile do")
        #expect(result.failure?.code == "E-PLUGIN-ANSWER")
        #expect(result.failure?.message.contains("`got 3 rows`") == true, "\(result.text)")
        #expect(result.failure?.fix?.contains("standard error") == true, "\(result.text)")
        await session.test.session.close()
    }

    /// An error may point at one of several words, and at characters in it.
    @Test(arguments: [
        (#","item":1"#, "hostile do one two", "               ^^^"),
        (#","item":1,"range":[1,2]"#, "hostile do one two", "                ^"),
        (#","range":[1,3]"#, "hostile do 'añb' c", "             ^^"),
        (#","range":[1,9]"#, "hostile do one", "           ^^^"),
        (#","item":7"#, "hostile do one", "^^^^^^^^^^"),
    ])
    func anErrorPointsAtCharacters(_ more: String, _ entry: String, _ marks: String) async throws {
        let session = try await ForeignSession.scripted(
            ForeignSession.command(
                #","parameters":[{"name":"word","type":"text","summary":"words","repeats":true}]"#),
            error:
                #"{"code":-32000,"message":"bad","data":{"code":"E-HOSTILE-BAD","argument":"word"\#(more)}}"#)
        let result = await session.test.result(entry)
        #expect(result.failure?.code == "E-HOSTILE-BAD", "\(result.text)")
        #expect(result.text.contains("\n  \(entry)\n  \(marks)"), "\(result.text)")
        await session.test.session.close()
    }

    @Test(arguments: [
        (
            #"{"name":"x","type":"integer","summary":"n","default":"abc"}"#,
            "x takes a whole number, not `abc`"
        ),
        (#"{"name":"x","type":"integer","summary":"n","min":1,"max":5,"default":"9"}"#, "between 1 and 5"),
        (#"{"name":"x","type":"length","summary":"n","default":"5s"}"#, "x is a length, not a duration"),
        (#"{"name":"x","type":"choice","choices":["a"],"summary":"n","default":"b"}"#, "`b`"),
        (
            #"{"name":"x","type":"text","summary":"n","requird":true}"#,
            "$.commands[0].parameters[0]: `requird` is not a known key; did you mean `required`?"
        ),
        (
            #"{"name":"x","type":"text","summary":"n","min":1}"#,
            "`min` and `max` apply to numbers and quantities"
        ),
        (#"{"name":"x","type":"integer","summary":"n","min":0.5}"#, "whole numbers"),
        (#"{"name":"x","kind":"flag","summary":"n","required":true}"#, "a flag has no `default`"),
        (#"{"name":"x","type":"text","summary":"n","required":true,"default":"a"}"#, "not have a `default`"),
        (#"{"name":"x","type":"text","summary":"n","choices":["a"]}"#, "`choices` apply to the type choice"),
    ])
    func aParameterThatCannotWorkIsRefused(_ parameter: String, _ wanted: String) async throws {
        let session = try ForeignSession()
        try session.script(ForeignSession.command(#","parameters":[\#(parameter)]"#))
        let result = await session.test.result("plugin trust ./hostile")
        #expect(result.failure?.code == "E-PLUGIN-DECLARATION", "\(result.text)")
        #expect(result.failure?.message.contains(wanted) == true, "\(result.text)")
        #expect(result.failure?.fix?.contains("plugin trust") == true, "\(result.text)")
    }

    @Test(arguments: [#","gives":"integer""#, #","takes":"string""#, #","tkaes":"rows""#])
    func aShapeThatCannotBeIsRefused(_ keys: String) async throws {
        let session = try ForeignSession()
        try session.script(ForeignSession.command(keys))
        let result = await session.test.result("plugin trust ./hostile")
        #expect(result.failure?.code == "E-PLUGIN-DECLARATION", "\(result.text)")
    }

    /// Missing parts of a manifest are reported with what is required.
    @Test func aManifestWithoutAProtocol() async throws {
        let session = try ForeignSession()
        try session.script(ForeignSession.command())
        try Data(#"{"name":"hostile","version":"1.0","command":["x"]}"#.utf8).write(
            to: session.url("hostile/plugin.json"))
        let result = await session.test.result("plugin trust ./hostile")
        #expect(result.failure?.message.contains("missing key `protocol`") == true, "\(result.text)")
        #expect(result.failure?.fix?.contains("protocol") == true, "\(result.text)")
    }

    /// A file without execute permission is reported with the fix.
    @Test(arguments: ["main.sh", "./main.sh"])
    func aProgramThatMayNotBeRun(_ program: String) async throws {
        let session = try ForeignSession()
        try session.write("hostile", command: [program])
        try Data("#!/bin/sh\n".utf8).write(to: session.url("hostile/main.sh"))
        let result = await session.test.result("plugin trust ./hostile")
        #expect(result.failure?.code == "E-PLUGIN-START", "\(result.text)")
        #expect(result.failure?.fix?.hasPrefix("chmod +x ") == true, "\(result.text)")
    }
}
