import Foundation
import PluginKit
import PluginTestKit
import Testing

@Suite struct ArticleTests {
    /// The compiled and tested file contains every Swift code block of the articles.
    @Test(arguments: [("WriteACommand", 3), ("WriteAPlugin", 2)])
    func codeOfArticlesIsCompiled(_ article: String, count: Int) throws {
        let here = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        let compiled = try String(contentsOf: here.appendingPathComponent("SunPlugin.swift"), encoding: .utf8)
        let page = try String(
            contentsOf: RealData.project.appendingPathComponent(
                "Sources/PluginKit/PluginKit.docc/\(article).md"), encoding: .utf8)
        let blocks = page.components(separatedBy: "```swift\n").dropFirst()
            .map { $0.components(separatedBy: "```")[0] }
        #expect(blocks.count == count)
        for block in blocks { #expect(compiled.contains(block)) }
    }

    @Test func aChoiceIsATrace() {
        let tracing = TraceCollector()
        keepChoice(of: [1, 5, 2], below: 3, in: tracing)
        let steps = tracing.collected.steps
        #expect(steps.map(\.kind) == ["start", "candidate", "candidate", "candidate", "end"])
        #expect(steps.dropFirst().first?.why == "below the limit")
    }

    @Test func solarNoonByHand() async throws {
        // 7.5° west of Greenwich the sun is half an hour late.
        let text = await (try TestSession { [SunPlugin()] }).run("sun noon 40,-7.5 --days 2 | get noon")
        #expect(text == "12h30min\n12h30min")
    }
}
