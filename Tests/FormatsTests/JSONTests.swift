import Formats
import Foundation
import Testing

/// JSON by RFC 8259: difficult texts, their values and the locations of faults.
@Suite struct JSONTests {
    private func tree(_ text: String) throws -> JSONTree { try JSONTree(parsing: Array(text.utf8)) }

    fileprivate func found(_ bytes: [UInt8]) -> JSONFault? {
        do throws(JSONFault) {
            _ = try JSONTree(parsing: bytes)
            return nil
        } catch {
            return error
        }
    }

    /// Texts that section 2 allows, and the same without blanks.
    @Test(arguments: [
        ("[]", "[]"), (" [ ] ", "[]"), ("\t\n\r {\n}\r", "{}"), ("\u{FEFF}1", "1"), ("\"\"", "\"\""),
        ("true", "true"), ("-0", "-0"), ("-0.0e-0", "-0.0e-0"), ("1E+2", "1E+2"), ("0e1", "0e1"),
        ("123456789012345678901234567890", "123456789012345678901234567890"),
        ("0.1000000000000000055511151231257827", "0.1000000000000000055511151231257827"),
        ("1e-999", "1e-999"), ("{\"\":{\"\":0}}", "{\"\":{\"\":0}}"),
        (#"{"a":1,"b":2,"a":3}"#, #"{"a":3,"b":2}"#), (#""\u0061\u00e9\ud83d\ude00\/""#, "\"aé😀/\""),
        (#""\b\f\n\r\t\"\\""#, #""\u0008\u000c\n\r\t\"\\""#), ("\"\u{7F}\"", #""\u007f""#),
    ])
    func accepted(text: String, written: String) throws {
        #expect(try tree(text).compactText == written)
        #expect(try tree(written) == tree(text))
    }

    /// Texts that it does not allow; halves of surrogate pairs and numbers beyond 64-bit floating point are ours to refuse
    /// (sections 8.2 and 6).
    @Test(arguments: [
        "", " ", "[", "]", "[1", "[1,", "[1,]", "[,1]", "[1 2]", "[1]]", "{", "{\"a\"", "{\"a\":", "{\"a\":1",
        "{\"a\":1,}",
        "{,}", "{a:1}", "{'a':1}", "{1:1}", "{\"a\" 1}", "01", "-01", "-", "+1", ".5", "1.", "1.e1", "1e",
        "1e+", "0x1",
        "1_000", "NaN", "Infinity", "-Infinity", "nul", "nulll", "True", "'a'", "\"a", "\"\\", "\"\\u\"",
        "\"\\u12g4\"",
        "\"\\x41\"", "\"\\ud800\"", "\"\\udc00\"", "\"\\ud800\\u0041\"", "\"\\ud800\\ud800\"", "\"\t\"",
        "\"\n\"",
        "\"\u{0}\"", "1 2", "// c\n1", "/**/1", "1e999", "-1e999", "\u{FEFF}\u{FEFF}1", "\u{A0}1", "[1;2]",
    ])
    func refused(text: String) {
        #expect(found(Array(text.utf8))?.kind == .syntax)
    }

    @Test(arguments: [
        [0x22, 0xFF, 0x22], [0x22, 0xC3, 0x28, 0x22], [0x22, 0xC0, 0x80, 0x22],
        [0x22, 0xED, 0xA0, 0x80, 0x22],
        [0x22, 0xF5, 0x80, 0x80, 0x80, 0x22], [0x22, 0xE2, 0x82, 0x22], [0xFF, 0xFE, 0x31, 0x00],
    ])
    func bytesThatAreNotUTF8(bytes: [UInt8]) {
        #expect(found(bytes)?.kind == .encoding)
    }

    @Test func nestingIsBounded() throws {
        let deepest = JSONSettings.deepest
        let fine = String(repeating: "[", count: deepest) + String(repeating: "]", count: deepest)
        #expect(try tree(fine).compactText == fine)
        for opening in ["[", "{\"a\":", "[{\"a\":"] {
            let text = String(repeating: opening, count: 1_000_000)
            #expect(found(Array(text.utf8))?.kind == .depth)
        }
    }

    /// Line and column count from 1, the column in characters.
    @Test(arguments: [
        ("[1,\n 2,\n x]", 3, 2, "$[2]"), ("{\"é😀\": tru}", 1, 8, "$[\"é😀\"]"), ("[1,]", 1, 4, "$[1]"),
        (
            "{\"features\":[{},{\"geometry\":{\"coordinates\":[1,2,\"\\q\"]}}]}", 1, 51,
            "$.features[1].geometry.coordinates[2]"
        ),
        ("\u{FEFF}x", 1, 1, "$"), ("{\"a b\":{\"c\":01}}", 1, 14, "$[\"a b\"]"),
    ])
    func places(text: String, line: Int, column: Int, path: String) throws {
        let fault = try #require(found(Array(text.utf8)))
        #expect(fault.position?.line == line)
        #expect(fault.position?.column == column)
        #expect(fault.path == path)
    }

    /// Unexpected values are located too.
    @Test(arguments: [
        (
            "{\"a\":[{\"b\":1},\n {\"b\":\"x\"}]}",
            "line 2, column 7: $.a[1].b: expected a number, not a string"
        ),
        ("{\"a\":[{\"b\":1},\n {\"c\":1}]}", "line 2, column 2: $.a[1]: missing key `b`"),
        ("{\"a\":0,\n\"a\":{}}", "line 2, column 5: $.a: expected an array, not an object"),
        ("[]", "line 1, column 1: expected an object, not an array"),
    ])
    func content(text: String, expected: String) throws {
        do {
            _ = try JSONTree.read(Array(text.utf8)) { tree in
                try tree.list("a") { (item) throws(JSONFault) in try item.read("b", as: Double.self) }
            }
            Issue.record("\(text) was read")
        } catch let fault as JSONFault {
            #expect(fault.description == expected)
        }
    }

    /// A number before a cut has no end of its own, unlike a text.
    @Test(arguments: [
        ("[[8.2,47.2],[8.3,4", "[[8.2,47.2],[8.3]]"), ("{\"a\":\"x\",\"b\":12", "{\"a\":\"x\"}"),
        ("[1,\"x\"", "[1,\"x\"]"),
    ])
    func aNumberThatIsCutIsNotKept(text: String, kept: String) throws {
        let read = try JSONTree.parse(Array(text.utf8), check: {}, repairs: { _ in })
        let expected = try JSONTree(parsing: Array(kept.utf8))
        #expect(read == expected)
    }

    @Test func cancellationStopsTheReader() throws {
        struct Stop: Error {}
        let long = "[" + String(repeating: "0,", count: 10_000) + "0]"
        #expect(throws: Stop.self) { try JSONTree.parse(Array(long.utf8)) { throw Stop() } }
    }

    /// Foundation's own encoder is the oracle of the apps' layout.
    @Test func theAppsLayoutIsThatOfFoundation() throws {
        struct Sample: Encodable {
            var text = "a/b\"\\\n\u{8}\u{C}\u{1}\u{7F}é"
            var numbers = [0.1, 5, 1e20, 1e-7, 123456.789, -2.5, 1e16]
            var empty: [Int] = []
            var nested = ["b": [[1], []], "a": []]
            var flag = true
        }
        for (options, escapes) in [
            ([.prettyPrinted, .sortedKeys], true),
            ([.prettyPrinted, .sortedKeys, .withoutEscapingSlashes], false),
        ] as [(JSONEncoder.OutputFormatting, Bool)] {
            let encoder = JSONEncoder()
            encoder.outputFormatting = options
            let expected = String(decoding: try encoder.encode(Sample()), as: UTF8.self)
            let sample = Sample()
            let nested = JSONTree.object(
                sample.nested.map { .init($0.key, .list($0.value.map { .list($0.map { JSONTree($0) }) })) })
            let tree = JSONTree(members: [
                "text": .text(sample.text), "numbers": .list(sample.numbers.map { JSONTree($0) }),
                "empty": .list([]), "nested": nested, "flag": .boolean(true),
            ])
            #expect(JSONWriter(.apple(escapesSlashes: escapes)).text(tree.sorted) == expected)
        }
    }

    private static let python = "/usr/bin/python3"

    /// Values as Python's json reads them: an independent oracle.
    @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: python), "python3 is missing"))
    func valuesAreThoseOfPython() throws {
        let texts = [
            #"{"z":1,"a":[-2.5e3,null,true],"t":"\u00e9\ud83d\ude00\/","d":1,"d":2}"#,
            "[0.1,1e22,-0,123456789012345678]",
            "[9007199254740993,0.30000000000000004,2.2250738585072014e-308,1.7976931348623157e308,5e-324]",
            "\"\\u2028\\u0000\"", "[[[]],{},{\"\":[]}]",
        ]
        let script = """
            import json, sys
            for line in sys.stdin:
                print(json.dumps(json.loads(line), separators=(",", ":"), ensure_ascii=True))
            """
        let process = Process()
        process.executableURL = URL(fileURLWithPath: Self.python)
        process.arguments = ["-c", script]
        let (input, output) = (Pipe(), Pipe())
        process.standardInput = input
        process.standardOutput = output
        try process.run()
        try input.fileHandleForWriting.write(contentsOf: Data((texts.joined(separator: "\n") + "\n").utf8))
        try input.fileHandleForWriting.close()
        let answer = String(decoding: try output.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
        process.waitUntilExit()
        let lines = answer.split(separator: "\n").map(String.init)
        #expect(lines.count == texts.count)
        for (text, line) in zip(texts, lines) {
            #expect(values(try tree(text)) == values(try tree(line)), "\(text)")
        }
    }

    /// The same with numbers by their values: whole ones exactly, others as 64-bit floating point.
    private func values(_ tree: JSONTree) -> JSONTree {
        switch tree {
        case .number(let text):
            .text(Int(text).map(String.init) ?? Double(text).map { "\($0)" } ?? "none")
        case .list(let items): .list(items.map(values))
        case .object(let members): .object(members.map { .init($0.key, values($0.value)) })
        default: tree
        }
    }

    /// Any bytes are JSON or a located fault.
    @Test func anyBytesEndInAValueOrAFault() throws {
        var state: UInt64 = 42
        let alphabet = Array("[]{}\",:\\u0aed+-.Ef1tn \n".utf8) + [0, 0xC3, 0xFF]
        for _ in 0..<5000 {
            let bytes = (0..<24).map { _ -> UInt8 in
                state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                return alphabet[Int(state >> 33) % alphabet.count]
            }
            if let fault = found(bytes) { #expect(fault.position != nil) }
        }
    }
}

extension JSONTests {
    /// What other notations have where JSON has something else: the error says what to write.
    @Test(arguments: [
        ("[NaN]", "null"), ("{\"a\": None}", "null"), ("[True]", "true"), ("[1,]", "comma"),
        ("{\"a\":1,}", "comma"), ("{'a':1}", "double quotes"), ("// x\n1", "comments"), ("<html>", "XML"),
    ])
    func otherNotationsAreNamed(text: String, fix: String) {
        #expect(found(Array(text.utf8))?.fix?.contains(fix) == true)
    }

    @Test(arguments: ["[", "]", "[1 2]", "1 2", "nul", ",1"]) func otherFaultsHaveNone(text: String) {
        #expect(found(Array(text.utf8))?.fix == nil)
    }
}
