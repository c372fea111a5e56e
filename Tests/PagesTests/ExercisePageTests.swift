import Formats
import Foundation
import Notebooks
import Testing

@testable import Pages

@Suite struct ExercisePageTests {
    private static let text = """
        ```rutter exercise
        question: Half of 3 km & more?
        hint: Divide.
        answer: value ±1%
        because: So it is.
        rutter> 3km / 2
        1.5km
        ```

        ```rutter predict
        choice: one
        choice: two
        rutter> 1 + 1
        two
        ```

        """

    private func notebook() throws -> Notebook { try NotebookParser().parse(Self.text) }

    @Test func solutionsAreFoldedAndAnswersCanBeChecked() throws {
        let html = try NotebookPage(try notebook(), shown: [:]).html(title: "t")
        #expect(html.contains("Half of 3 km &amp; more?"))
        #expect(html.contains("<summary>Hint</summary>"))
        let solution = try #require(html.range(of: "3km"))
        let folded = try #require(html.range(of: "<summary>Solution</summary>"))
        #expect(folded.lowerBound < solution.lowerBound)
        #expect(html.contains("type=\"radio\""))
        let data = try #require(html.firstMatch(of: #/data-answer="([^"]*)"/#)?.1)
        let json = data.replacingOccurrences(of: "&quot;", with: "\"")
        let tree = try JSONTree(parsing: Data(json.utf8))
        #expect(tree["value"] == .number("1500"))
        #expect(tree["margin"] == .number("15"))
        #expect(tree["units"]?["km"] == .number("1000"))
    }

    @Test func jupyterHasTheQuestionAndFoldsTheSolution() throws {
        let text = JupyterNotebook.text(of: try notebook())
        let tree = try JSONTree(parsing: Data(text.utf8))
        guard case .list(let cells)? = tree["cells"] else {
            Issue.record("no cells")
            return
        }
        #expect(cells.count == 4)
        #expect(cells[1]["metadata"]?["jupyter"]?["source_hidden"] == .boolean(true))
        #expect(try JupyterNotebook.markdown(of: Data(text.utf8)) { _ in false } == Self.text)
    }

    @Test func anEditedExerciseKeepsItsQuestion() throws {
        let text = JupyterNotebook.text(of: try notebook())
            .replacingOccurrences(of: "\"3km / 2\"", with: "\"3km / 3\"", range: nil)
        let edited = text.replacingOccurrences(of: "[\"3km / 2\"]", with: "[\"3km / 3\"]")
        let back = try JupyterNotebook.markdown(of: Data(edited.utf8)) { _ in false }
        #expect(back.contains("question: Half of 3 km & more?\n"))
        #expect(try NotebookParser().parse(back).cells.count == 2)
    }
}
