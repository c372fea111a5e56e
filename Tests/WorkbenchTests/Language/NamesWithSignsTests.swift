import PluginTestKit
import Testing

/// Columns whose names have blanks or signs, as headers of files do.
struct NamesWithSignsTests {
    @Test func theyAreWrittenInBrackets() async throws {
        let test = try TestSession(plugins: { [] })
        await test.run("let t = [{'a-b': 5} {'a-b': 6}]")
        #expect(await test.result("$t | where a-b > 5").failure?.suggestion == #"it["a-b"]"#)
        #expect(await test.run("$t | where it['a-b'] > 5 | count") == "1")
        #expect(await test.result("$t | summarize count() by 'a-b'").failure?.fix == #"by it["a-b"]"#)
        #expect(await test.result("$t | summarize n=count() by it['a-b'] | count").failure == nil)
    }
}
