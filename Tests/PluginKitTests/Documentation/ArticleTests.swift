import Foundation
import PluginTestKit
import Testing

@Suite struct ArticleTests {
    /// Every block of Swift code in the articles stands in the file that is compiled and run.
    @Test(arguments: ["WriteACommand", "WriteAPlugin"])
    func codeOfArticlesIsCompiled(_ article: String) throws {
        let here = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        let compiled = try String(contentsOf: here.appendingPathComponent("SunPlugin.swift"), encoding: .utf8)
        let page = try String(
            contentsOf: RealData.project.appendingPathComponent(
                "Sources/PluginKit/PluginKit.docc/\(article).md"), encoding: .utf8)
        let blocks = page.components(separatedBy: "```swift\n").dropFirst()
            .map { $0.components(separatedBy: "```")[0] }
        #expect(blocks.count == 2)
        for block in blocks { #expect(compiled.contains(block)) }
    }

    @Test func solarNoonByHand() async throws {
        // 7.5° west of Greenwich the sun is half an hour late.
        let text = await (try TestSession { [SunPlugin()] }).run("sun noon 40,-7.5 --days 2 | get noon")
        #expect(text == "12h30min\n12h30min")
    }
}
