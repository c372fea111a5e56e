import Archives
import Foundation
import PluginTestKit
import Testing

@testable import Formats

/// One bad character does not refuse a file: it is mended where its meaning is plain, and said with its line.
@Suite(.needs(.xml)) struct XMLRepairTests {
    private static let points = (0..<3).map { "<trkpt lat=\"47.00\($0)\" lon=\"8\"/>" }.joined()

    private func read(_ name: [UInt8], head: String = "") throws -> GPXLine {
        let start = Array("\(head)<gpx>\n<trk><name>".utf8)
        let end = Array("</name><trkseg>\(Self.points)</trkseg></trk></gpx>".utf8)
        let file = try TrackFile(SourceBytes(start + name + end, name: "a.gpx"))
        let line = try #require(file.document.tracks.first)
        #expect(line.pointCount == 3)
        return line
    }

    @Test(arguments: [
        ("Rock & Roll", "Rock & Roll", "`&`"), ("a&b;", "a&b;", "`&`"), ("Tea &", "Tea &", "`&`"),
        ("3 < 4", "3 < 4", "`<`"), ("<3", "<3", "`<`"), ("A\u{13}B", "AB", "control"),
        ("A&#x13;B", "AB", "control"),
        ("A ]]> B", "A ]]> B", "`]]>`"), ("<!-- a -- b -->A", "A", "`--`"), ("<!------ a -->A", "A", "`--`"),
        ("<!-- é--é -->A", "A", "`--`"), ("A&nbsp;B", "A\u{A0}B", "entities"),
        ("Caf&eacute;", "Café", "entities"),
    ])
    func aBadCharacterIsMendedAndSaid(text: String, expected: String, words: String) throws {
        let line = try read(Array(text.utf8))
        #expect(line.name == expected)
        #expect(line.doubts.count == 1 && line.doubts[0].hasPrefix(words), "\(line.doubts)")
        #expect(line.doubts[0].hasSuffix(": 1 (line 2)"))
    }

    @Test func bytesThatAreNoUTF8AreOfWindows1252() throws {
        let line = try read([0x5A, 0xFC, 0x72, 0x69, 0x63, 0x68, 0x20, 0x80])
        #expect(line.name == "Zürich €")
        #expect(line.doubts == ["bytes that are no UTF-8, read as Windows-1252: 2 (first in line 2)"])
    }

    @Test(arguments: [
        "A &amp; B", "&#65;&#x42;", "<![CDATA[A & B < C &nbsp;]]>", "Zürich 東京 🙂", "<!-- & < -->Name",
        "<!-- a - b -->Name", "<!---->Name", "<![CDATA[a]]]]><![CDATA[>b]]>",
    ])
    func whatIsXMLStaysAsItIs(text: String) throws {
        #expect(try read(Array(text.utf8)).doubts.isEmpty)
    }

    @Test func anAttributeIsMendedToo() throws {
        let text = "<gpx creator=\"Walk & Co\"><trk><trkseg>\(Self.points)</trkseg></trk></gpx>"
        #expect(try TrackFile(SourceBytes(Array(text.utf8), name: "a.gpx")).document.creator == "Walk & Co")
    }

    @Test func aDeclaredEncodingIsKept() throws {
        let head = "<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?>"
        let line = try read([0x5A, 0xFC, 0x20, 0x26, 0x20], head: head)
        #expect(line.name == "Zü & ")
        #expect(line.doubts == ["`&` that begins no entity, read as the character: 1 (line 2)"])
    }

    @Test(arguments: ["\u{FEFF}", "\u{FEFF}\r\n", "\r\n\u{FEFF} ", "\u{FEFF}\u{FEFF}", " \n"])
    func marksAndBlanksBeforeTheDeclarationAreNoDamage(start: String) throws {
        let line = try read(Array("Name".utf8), head: start + "<?xml version=\"1.0\" encoding=\"UTF-8\"?>")
        #expect(line.name == "Name" && line.doubts.isEmpty)
    }

    /// A character that two pieces share is the same as one in the middle.
    @Test func piecesEndAnywhere() throws {
        let text =
            Array("<a b=\"x & y\"><![CDATA[<&]]><!-- & --><?p & ?>é &amp; &eacute; & < 3".utf8) + [
                0xE9, 0x41,
            ] + Array("</a>".utf8)
        func mended(_ cut: Int) throws -> (String, [String]) {
            let repair = XMLRepair()
            var out: [UInt8] = []
            for piece in [Array(text[..<cut]), Array(text[cut...])] {
                try piece.withUnsafeBytes { try repair.pass($0, isLast: false) { out += $0 } }
            }
            try repair.pass(UnsafeRawBufferPointer(start: nil, count: 0), isLast: true) { out += $0 }
            return (String(decoding: out, as: UTF8.self), repair.doubts)
        }
        let whole = try mended(text.count)
        #expect(whole.0 == "<a b=\"x &amp; y\"><![CDATA[<&]]><!-- & --><?p & ?>é &amp; é &amp; &lt; 3éA</a>")
        for cut in 1..<text.count {
            let parts = try mended(cut)
            #expect(parts.0 == whole.0 && parts.1 == whole.1, "cut at \(cut)")
        }
    }

    @Test func aWebPageIsNoDamagedRecording() throws {
        let page = "<!DOCTYPE html><html><body>Sign in</body></html>"
        let error = errorThrown { _ = try GPXReader.document(SourceBytes(Array(page.utf8), name: "a.gpx")) }
        #expect(error?.code == "E-GPX-XML" && error?.message.contains("web page") == true)
    }
}
