import Foundation
import Pages
import PluginTestKit
import Testing

@testable import Workbench

/// A folder of notebooks as pages.
@Suite(.needs(.markdown)) struct FolderOfPagesTests {
    private static func notebook(_ title: String, _ prose: String, _ expected: String) -> String {
        "# \(title)\n\n\(prose)\n\n```rutter\nrutter> 1 + 1\n\(expected)\n```\n"
    }

    private func session() throws -> TestSession {
        let session = try TestSession()
        let folder = session.folder.url.appendingPathComponent("course")
        try FileManager.default.createDirectory(
            at: folder.appendingPathComponent("more"), withIntermediateDirectories: true)
        let files = [
            "one.md": Self.notebook("One", "Next: [two](more/two.md#b), [data](one.txt).", "2"),
            "more/two.md": Self.notebook("Two & three", "Back to [one](../one.md).", "3"),
            "prose.md": "# No cell\n",
        ]
        for (name, text) in files {
            try Data(text.utf8).write(to: folder.appendingPathComponent(name))
        }
        return session
    }

    private func text(_ session: TestSession, _ name: String) throws -> String {
        try String(contentsOf: session.folder.url.appendingPathComponent(name), encoding: .utf8)
    }

    @Test func everyNotebookIsAPageAndLinksLeadThere() async throws {
        let session = try session()
        let shown = await session.run("notebook render course --out pages")
        #expect(shown.hasPrefix("2 pages written to pages\nmore/two.html: 1 of 1 cells differ"))
        let one = try text(session, "pages/one.html")
        #expect(one.contains("<a href=\"more/two.html#b\">two</a>"))
        #expect(one.contains("<a href=\"one.txt\">data</a>"))
        #expect(one.contains("<a href=\"index.html\">All notebooks</a>"))
        let two = try text(session, "pages/more/two.html")
        #expect(two.contains("<a href=\"../one.html\">one</a>"))
        #expect(two.contains("<a href=\"../index.html\">All notebooks</a>"))
        let index = try text(session, "pages/index.html")
        #expect(index.contains("<li><a href=\"more/two.html\">Two &amp; three</a>: 1 of 1 cells differ"))
        #expect(index.contains("<li><a href=\"one.html\">One</a></li>"))
        let left = try FileManager.default.contentsOfDirectory(atPath: session.folder.url.path)
        #expect(!left.contains { $0.hasSuffix(".part") })
    }

    @Test func lessonsComeFirstByTheirNumbers() async throws {
        let session = try session()
        let folder = session.folder.url.appendingPathComponent("course")
        for (name, number) in [("a", 10), ("z", 9)] {
            let text = "---\nlesson: \(number)\n---\n" + Self.notebook(name.uppercased(), "", "2")
            try Data(text.utf8).write(to: folder.appendingPathComponent("\(name).md"))
        }
        await session.run("notebook render course --out pages")
        let index = try text(session, "pages/index.html")
        let order = ["<h2>Lessons</h2>", ">Z</a>", ">A</a>", "<h2>Other notebooks</h2>", ">One</a>"]
            .map { index.range(of: $0)?.lowerBound }
        #expect(
            order.allSatisfy { $0 != nil } && order.compactMap(\.self) == order.compactMap(\.self).sorted())
    }

    @Test func nothingIsOverwrittenUnasked() async throws {
        let session = try session()
        await session.run("notebook render course --out pages")
        try Data("mine".utf8).write(to: session.folder.url.appendingPathComponent("pages/mine.txt"))
        #expect(await session.run("notebook render course --out pages").contains("E-FILE-EXISTS"))
        #expect(await session.run("notebook render course --out pages --force").hasPrefix("2 pages written"))
        #expect(try text(session, "pages/mine.txt") == "mine")
    }

    @Test func aFolderWithoutNotebooksIsAnError() async throws {
        let session = try session()
        let folder = session.folder.url.appendingPathComponent("empty")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        #expect(await session.run("notebook render empty --out pages").contains("E-NOTEBOOK-EMPTY"))
        #expect(await session.run("notebook render nowhere --out pages").contains("E-FILE-MISSING"))
        #expect(
            !FileManager.default.fileExists(atPath: session.folder.url.appendingPathComponent("pages").path))
    }
}
