import Formats
import Foundation
import PluginKit
import PluginTestKit
import Testing

/// Files designed to exhaust memory or time.
@Suite(.serialized, .timeLimit(.minutes(10)))
struct GPXHostileTests {
    /// Reads a file that is written in pieces; returns the error's code.
    private static func code(_ write: (FileHandle) throws -> Void) throws -> String? {
        let folder = try TemporaryFolder()
        let url = folder.url.appendingPathComponent("hostile.gpx")
        try Data().write(to: url)
        let file = try FileHandle(forWritingTo: url)
        try write(file)
        try file.close()
        return errorThrown { _ = try GPXReader.document(url) }?.code
    }

    /// A text of `megabytes` between two others.
    private static func code(_ before: String, _ unit: String, megabytes: Int, _ after: String) throws
        -> String?
    {
        let piece = Data(String(repeating: unit, count: (1 << 20) / unit.utf8.count).utf8)
        return try Self.code { file in
            try file.write(contentsOf: Data(before.utf8))
            for _ in 0..<megabytes { try file.write(contentsOf: piece) }
            try file.write(contentsOf: Data(after.utf8))
        }
    }

    @Test func aHundredMegabytesInOneElement() async {
        // In a process of its own: other tests that run beside it use memory, too.
        await #expect(processExitsWith: .success) {
            let before = try peakMemory()
            let start = "<gpx><wpt lat=\"1\" lon=\"2\">"
            let name = "\(start)<name>"
            #expect(try Self.code(name, "x", megabytes: 100, "</name></wpt></gpx>") == "E-GPX-REFUSED")
            // In an ignored element, in CDATA, in a comment, an attribute and a name.
            let unread = "\(start)<extensions><x>"
            #expect(
                try Self.code(unread, "x", megabytes: 100, "</x></extensions></wpt></gpx>") == "E-GPX-REFUSED"
            )
            #expect(
                try Self.code("\(name)<![CDATA[", "x", megabytes: 100, "]]></name></wpt></gpx>")
                    == "E-GPX-XML")
            #expect(try Self.code("<gpx><!--", "x", megabytes: 100, "--></gpx>") == "E-GPX-XML")
            #expect(
                try Self.code("<gpx><wpt lat=\"", "1", megabytes: 100, "\" lon=\"2\"/></gpx>") == "E-GPX-XML")
            #expect(try Self.code("<gpx><", "x", megabytes: 100, "/></gpx>") == "E-GPX-XML")
            #expect(try Self.code("<gpx><?x ", "x", megabytes: 100, "?></gpx>") == "E-GPX-XML")
            #expect(try peakMemory() - before < 50_000)
        }
    }

    @Test func aHundredMegabytesOfEmptyElements() async {
        await #expect(processExitsWith: .success) {
            // Nothing is wrong with this file; it holds nothing, and reading it needs no memory.
            let before = try peakMemory()
            #expect(try Self.code("<gpx>", "<extensions/>", megabytes: 100, "</gpx>") == nil)
            #expect(try peakMemory() - before < 50_000)
        }
    }

    @Test func deepNesting() throws {
        #expect(try Self.code("<gpx>", "<extensions>", megabytes: 4, "") == "E-GPX-REFUSED")
    }

    @Test func billionLaughs() throws {
        var text = "<?xml version=\"1.0\"?><!DOCTYPE gpx [<!ENTITY a0 \"lol\">"
        for level in 1...10 {
            text += "<!ENTITY a\(level) \"\(String(repeating: "&a\(level - 1);", count: 10))\">"
        }
        text += "]><gpx><name>&a10;</name></gpx>"
        #expect(try Self.code { try $0.write(contentsOf: Data(text.utf8)) } == "E-GPX-REFUSED")
    }

    @Test(arguments: [
        "SYSTEM \"file:///etc/hostname\"", "SYSTEM \"http://127.0.0.1:9/x\"", "PUBLIC \"a\" \"b\"",
    ])
    func externalEntities(declaration: String) throws {
        let text = "<!DOCTYPE gpx [<!ENTITY x \(declaration)>]><gpx><name>&x;</name></gpx>"
        #expect(try Self.code { try $0.write(contentsOf: Data(text.utf8)) } == "E-GPX-REFUSED")
        let outside = "<!DOCTYPE gpx \(declaration)><gpx/>"
        #expect(try Self.code { try $0.write(contentsOf: Data(outside.utf8)) } == "E-GPX-REFUSED")
    }

    @Test func everyTruncationOfAFileIsAnError() throws {
        let text = """
            <?xml version="1.0"?><gpx xmlns="http://www.topografix.com/GPX/1/1"><wpt lat="46.5" lon="7.9"><ele>5</ele>\
            <name>Zürich &amp; 東京</name></wpt><trk><trkseg><trkpt lat="1" lon="2"/></trkseg></trk></gpx>
            """
        let bytes = Data(text.utf8)
        for count in 0..<bytes.count {
            let result = try Self.code { try $0.write(contentsOf: bytes.prefix(count)) }
            // From the first whole point on, what there is is read; the tests of the reader look at what is said.
            #expect(
                result == nil ? count > 120 : ["E-GPX-XML", "E-GPX-ROOT"].contains(result),
                "\(count) bytes gave \(result ?? "nothing")")
        }
    }

    @Test func changedBytesNeverCrash() throws {
        var random = Xoshiro256(seed: 11)
        let text =
            "<gpx><wpt lat=\"46.5\" lon=\"7.9\"><ele>5</ele><time>2026-02-06T08:15:30Z</time></wpt></gpx>"
        for _ in 0..<1500 {
            var bytes = Array(text.utf8)
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                bytes[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(
                    in: 0...255, using: &random)
            }
            let result = try Self.code { try $0.write(contentsOf: Data(bytes)) }
            #expect(result == nil || result?.hasPrefix("E-GPX-") == true, "\(result ?? "")")
        }
    }
}
