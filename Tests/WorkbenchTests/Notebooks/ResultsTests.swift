import Foundation
import PluginTestKit
import Testing

@testable import Workbench

/// The answers of a class as rows.
@Suite struct ResultsTests {
    private static func progress(_ questions: String) -> Data {
        Data(#"{"/somewhere/lesson-turns.md": {"cell": 4, "digest": "d", "questions": \#(questions)}}"#.utf8)
    }

    @Test func eachAnswerIsARow() async throws {
        let session = try TestSession(files: [
            "anna.json": Self.progress(#"{"2": "solved", "4": "shown"}"#)
        ])
        let ben = session.folder.url.appendingPathComponent("ben")
        try FileManager.default.createDirectory(at: ben, withIntermediateDirectories: true)
        try Self.progress(#"{"2": "unchecked"}"#).write(to: ben.appendingPathComponent("lessons.json"))
        let rows = await session.run("notebook results anna.json ben/lessons.json | to csv")
        #expect(
            rows == """
                student,lesson,cell,result
                anna,lesson-turns,2,solved
                anna,lesson-turns,4,shown
                ben,lesson-turns,2,unchecked
                """)
    }

    @Test func aDamagedFileIsNamed() async throws {
        let session = try TestSession(files: ["bad.json": Data("no JSON".utf8)])
        let result = await session.result("notebook results bad.json")
        #expect(result.failure?.message.contains("bad.json") == true)
        #expect(result.failure?.fix?.contains("delete") == false)
        #expect(await session.run("notebook results | count") == "0")
    }

    @Test func aDamagedFileDoesNotHideTheOthers() async throws {
        let session = try TestSession(files: [
            "bad.json": Data("no JSON".utf8), "anna.json": Self.progress(#"{"2": "solved"}"#),
        ])
        let shown = await session.run("notebook results bad.json anna.json")
        #expect(
            shown.contains("solved") && shown.contains("cannot be read, and left as it is: bad"), "\(shown)")
        let kept = try Data(contentsOf: session.folder.url.appendingPathComponent("bad.json"))
        #expect(kept == Data("no JSON".utf8))
    }
}
