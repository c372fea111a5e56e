import Formats
import Foundation
import Testing

/// Reads comma-separated values as RFC 4180 defines them, and as transit feeds write them.
@Suite struct CSVTests {
    private static func lenient(chunk: Int = 1 << 10) -> CSVDialect {
        var dialect = CSVDialect()
        dialect.isStrict = false
        dialect.chunk = chunk
        dialect.longestRecord = 1 << 20
        return dialect
    }

    private func records(_ text: String, _ dialect: CSVDialect = lenient()) throws -> [[String]] {
        let reader = try CSVTokenizer(dialect, bytes: Array(text.utf8))
        var records: [[String]] = []
        while try reader.next() {
            records.append((0..<reader.count).map { String(decoding: reader[$0], as: UTF8.self) })
        }
        return records
    }

    @Test(arguments: [
        ("a,b\n1,2\n", [["a", "b"], ["1", "2"]]),
        ("\u{FEFF}a,b\r\n1,2\r\n", [["a", "b"], ["1", "2"]]),
        ("a,b\n1,2", [["a", "b"], ["1", "2"]]),
        ("a\n\n\nb\n", [["a"], ["b"]]),
        ("a\rb\r\rc", [["a"], ["b"], ["c"]]),
        ("\"a,b\",\"c\"\"d\"\"\"\n", [["a,b", "c\"d\""]]),
        ("\"line\nbreak\",x\r\n", [["line\nbreak", "x"]]),
        (" a , b \n", [[" a ", " b "]]),
        ("a,\n,b\n,\n", [["a", ""], ["", "b"], ["", ""]]),
        ("\"\",\"\"\n", [["", ""]]),
        ("\"last\"", [["last"]]),
        ("é,日本\n", [["é", "日本"]]),
        ("", []),
    ])
    func table(text: String, expected: [[String]]) throws {
        #expect(try records(text) == expected)
        #expect(try records(text, CSVDialect()) == expected)
    }

    @Test func quotesInsideOfFieldsAreTextWhereThatIsAllowed() throws {
        #expect(try records("a\"b,c\n\"x\" ,y\n") == [["a\"b", "c"], ["x", "y"]])
        #expect(throws: CSVFault.self) { try records("a\"b,c\n", CSVDialect()) }
        #expect(throws: CSVFault.self) { try records("\"x\" ,y\n", CSVDialect()) }
    }

    @Test func emptyLinesAreRecordsWhereThatIsAsked() throws {
        var dialect = CSVDialect()
        dialect.skipsEmptyLines = false
        #expect(try records("a\r\n\r\nb\r\n", dialect) == [["a"], [""], ["b"]])
    }

    /// The records do not depend on how the bytes are split.
    @Test func chunks() throws {
        var text = "\u{FEFF}id,name,note\r\n"
        for index in 0..<300 {
            let note = index % 3 == 0 ? "\"quoted, \"\"\(index)\"\"\nand more\"" : "plain \(index)"
            text += "\(index),\"name \(index)\",\(note)\(["\r\n", "\r", "\n"][index % 3])"
        }
        let expected = try records(text, Self.lenient(chunk: 1 << 20))
        #expect(expected.count == 301)
        for chunk in [16, 17, 31, 64, 100, 1000] {
            #expect(try records(text, Self.lenient(chunk: chunk)) == expected)
        }
    }

    @Test func lines() throws {
        let reader = try CSVTokenizer(bytes: Array("a\n\n\"x\ny\"\nb\n".utf8))
        var lines: [Int] = []
        while try reader.next() { lines.append(reader.line) }
        #expect(lines == [1, 3, 5])
    }

    @Test(arguments: [
        ("\"never closed\nmore\n", CSVFault(message: "the quote is not closed", line: 1)),
        ("x\n\"closed\" and more,b\n", CSVFault(message: "unexpected text after a closing quote", line: 2)),
    ])
    func quotesThatAreWrong(text: String, fault: CSVFault) throws {
        #expect(throws: fault) { try records(text) }
    }

    /// Blanks before a quote, quotes escaped as MySQL does, and text after a closing quote, however the bytes are split.
    @Test(arguments: [
        ("a,b\n1, \"x, y\"\n", ["1", "x, y"]), ("a,b\n1,\"x\"y\n", ["1", "\"x\"y"]),
        ("a,b\n1,\"x\\\"y\"\n", ["1", "x\"y"]), ("a,b\n1,\"x\"\"y\"\n", ["1", "x\"y"]),
        ("a,b\n\"say \\\"hi\\\"\",2\n", ["say \"hi\"", "2"]),
        ("a,b\n\"say \\\"hi\\\", then\",2\n", ["say \"hi\", then", "2"]),
        ("a,b\n1,\"C:\\\"\n", ["1", "C:\\"]), ("a,b\n1,\"x\"y", ["1", "\"x\"y"]),
    ])
    func quotesOfOtherPrograms(text: String, expected: [String]) throws {
        for chunk in [16, 1 << 10] {
            var dialect = Self.lenient(chunk: chunk)
            dialect.takesOddQuotes = true
            let found = try records(text, dialect)
            #expect(found == [["a", "b"], expected])
        }
    }

    /// UTF-16 without a mark and UTF-32 are known by their zero bytes.
    @Test(arguments: [
        String.Encoding.utf16LittleEndian, .utf16BigEndian, .utf32LittleEndian, .utf32BigEndian,
    ])
    func textsOfWideCharacters(encoding: String.Encoding) throws {
        let text = "name,beds\nZürich,12\n"
        let bytes = Array(try #require(text.data(using: encoding)))
        let found = DataEncoding(head: bytes, isWhole: true)
        let read = try #require(found.converted(bytes))
        #expect(String(decoding: read, as: UTF8.self) == text)
        #expect(found.note?.contains("zero bytes") == true)
    }

    /// Quotes within quotes end a field where they end it; in chunks of any size.
    @Test(arguments: [
        ("\"a \"b\" c\",d\n", ["a \"b\" c", "d"]), ("\"a \"b\"\",d\n", ["a \"b\"", "d"]),
        ("\"a \"\"b\" c\",d", ["a \"b\" c", "d"]), ("x,\"a \"b\"\" ,d\r\n", ["x", "a \"b\"", "d"]),
        ("\"a \"b\" c\"", ["a \"b\" c"]),
    ])
    func quotesWithinQuotes(text: String, fields: [String]) throws {
        for chunk in [16, 1 << 16] {
            var dialect = Self.lenient(chunk: chunk)
            dialect.takesInnerQuotes = true
            dialect.takesBlanksAroundQuotes = true
            let reader = try CSVTokenizer(dialect, bytes: Array(text.utf8))
            #expect(try reader.next())
            #expect(reader.hasInnerQuotes)
            #expect((0..<reader.count).map { String(decoding: reader[$0], as: UTF8.self) } == fields)
            #expect(try !reader.next())
        }
    }

    /// Another field in quotes, or the end of the line, comes before a quote that may end the field.
    @Test(arguments: ["\"a\" b,\"c\"\n", "\"a\" b\nx\",y\n", "\"a\nb\" c\",d\n"])
    func quotesThatNothingEnds(text: String) throws {
        var dialect = Self.lenient(chunk: 16)
        dialect.takesInnerQuotes = true
        let reader = try CSVTokenizer(dialect, bytes: Array(text.utf8))
        #expect(throws: CSVFault.self) { try reader.next() }
    }

    @Test func aLineThatCannotBeReadIsLeftOut() throws {
        let reader = try CSVTokenizer(Self.lenient(chunk: 16), bytes: Array("a\n\"b\"c\nd\n".utf8))
        #expect(try reader.next())
        #expect(throws: CSVFault.self) { try reader.next() }
        try reader.skipLine()
        #expect(try reader.next())
        #expect(String(decoding: reader[0], as: UTF8.self) == "d")
        #expect(reader.line == 3)
        #expect(try !reader.next())
    }

    @Test func recordsAreBounded() throws {
        let long = "a\n\"" + String(repeating: "x", count: (1 << 20) + 10)
        #expect(throws: CSVFault.self) { try records(long) }
        var dialect = CSVDialect()
        dialect.mostFields = 100
        #expect(try records(String(repeating: ",", count: 99), dialect)[0].count == 100)
        #expect(throws: CSVFault.self) { try records(String(repeating: ",", count: 100), dialect) }
    }

    /// Any bytes result in records or a fault; the bytes are random.
    @Test func anyBytesEndInRecordsOrAFault() throws {
        var state: UInt64 = 0x9E37_79B9_7F4A_7C15
        let alphabet = Array("\",;\r\na \u{FEFF}é".utf8) + [0, 0xFF]
        for _ in 0..<2000 {
            let bytes = (0..<40).map { _ -> UInt8 in
                state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                return alphabet[Int(state >> 33) % alphabet.count]
            }
            do {
                var fields = 0
                let reader = try CSVTokenizer(Self.lenient(chunk: 16), bytes: bytes)
                while try reader.next() { fields += reader.count }
                #expect(fields <= bytes.count + 1)
            } catch {
                #expect(error is CSVFault)
            }
        }
    }

    @Test func linesAreQuotedWhereTheyMustBe() throws {
        var line = CSVLine()
        for cell in ["a", "a,b", "a\"b", "a\nb", " a", ""] { line.append(cell.utf8) }
        line.append("1".utf8, isQuoted: true)
        #expect(line.text == "a,\"a,b\",\"a\"\"b\",\"a\nb\",\" a\",,\"1\"")
        #expect(try records(line.text) == [["a", "a,b", "a\"b", "a\nb", " a", "", "1"]])
    }
}
