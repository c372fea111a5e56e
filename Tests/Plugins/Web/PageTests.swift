import Foundation
import PluginTestKit
import Testing

@testable import WebPlugin

/// The page as it lies in the sources.
struct PageTests {
    private static let folder = RealData.project.appendingPathComponent("Plugins/Web/Page")

    private func files() throws -> [(name: String, text: String)] {
        try FileManager.default.contentsOfDirectory(atPath: Self.folder.path).sorted().map {
            ($0, try String(contentsOf: Self.folder.appendingPathComponent($0), encoding: .utf8))
        }
    }

    @Test func everyFileIsCompiledIn() throws {
        #expect(try files().map(\.name) == PageResources.all.map(\.name).sorted())
        for (name, text) in try files() {
            let bytes = PageResources.all.first { $0.name == name }?.bytes
            #expect(bytes == Array(text.utf8), "\(name)")
        }
    }

    @Test func itIsSmall() throws {
        // The player of traces comes from another folder.
        let player = try #require(PageFiles(leafletFolder: "/nowhere")["/page/player.js"])
        #expect(try files().reduce(player.bytes.count) { $0 + $1.text.utf8.count } < 150_000)
    }

    /// What a name may hold is shown as text: nothing makes elements of text, runs text, or asks another server.
    @Test func nothingMakesElementsOfText() throws {
        for (name, text) in try files() {
            for word in [
                "innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(", "new Function",
                "javascript:", "srcdoc", "https://", "setTimeout('", "setTimeout(\"", " onclick=", " style=",
                "<style",
                "localStorage",
            ] {
                #expect(!text.contains(word), "\(name): \(word)")
            }
            let addresses = text.components(separatedBy: "http://").dropFirst().map { $0.prefix(10) }
            #expect(addresses.allSatisfy { $0 == "www.w3.org" }, "\(name)")
        }
    }

    @Test func scriptsComeFromFilesAlone() throws {
        let page = try String(contentsOf: Self.folder.appendingPathComponent("index.html"), encoding: .utf8)
        for tag in page.components(separatedBy: "<script").dropFirst() {
            #expect(tag.hasPrefix(" type=\"module\" src=\"/page/") && tag.contains("></script>"))
        }
    }

    @Test func withoutLeafletThePageSaysWhatIsMissing() {
        #expect(PageFiles(leafletFolder: "/nowhere").hasLeaflet == false)
        #expect(PageFiles(leafletFolder: "/nowhere")["/"] != nil)
    }
}
