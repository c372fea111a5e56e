import Notebooks
import PluginTestKit
import Testing

@Suite struct NotebookErrorTests {
    /// `explain` has more to say than the code and a title.
    @Test(arguments: NotebookError.Code.allCases)
    func everyCodeIsExplained(_ code: NotebookError.Code) async throws {
        #expect(!code.kind.explanation.isEmpty)
        let text = await (try TestSession()).run("explain \(code.rawValue)")
        #expect(text.contains(code.kind.title))
        #expect(text.contains(code.kind.explanation.prefix(20)))
    }
}
