import Core
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
        #expect(tree["unit"] == .text("km"))
    }

    private static let choices = """
        ```rutter exercise
        question: Which?
        choice: one
        feedback: That one is too small.
        choice: two
        note: Ask for the reason.
        rutter> 1 + 1
        two
        ```

        """

    /// A full page says the feedback and has the notes; a copy for students has neither in clear, and all options alike.
    @Test func feedbackAndNotes() throws {
        var page = NotebookPage(try NotebookParser().parse(Self.choices), shown: [:])
        let html = try page.html(title: "t")
        #expect(
            html.contains("too small") && html.contains("For the teacher")
                && html.contains("Ask for the reason"))
        page.isForStudents = true
        let copy = try page.html(title: "t")
        for secret in ["too small", "For the teacher", "Ask for the reason"] {
            #expect(!copy.contains(secret))
        }
        let data = try #require(copy.firstMatch(of: #/data-answer="([^"]*)"/#)?.1)
        let tree = try JSONTree(parsing: Data(data.replacingOccurrences(of: "&quot;", with: "\"").utf8))
        let hidden = try ["a", "b"].map { letter -> String in
            guard case .text(let text)? = tree["feedback"]?[letter] else { throw Missing() }
            return text
        }
        #expect(hidden[0].count == hidden[1].count && hidden[0] != hidden[1])
    }

    private struct Missing: Error {}

    /// The right answer is there as a hash only: of the number of the range of values for a value.
    @Test func aCopyForStudentsHasNoSolution() throws {
        var page = NotebookPage(try notebook(), shown: [:])
        page.isForStudents = true
        let html = try page.html(title: "t")
        for secret in ["1.5km", "3km / 2", "1500", "So it is", "Solution", "What it shows"] {
            #expect(!html.contains(secret), "\(secret)")
        }
        #expect(html.contains("Half of 3 km &amp; more?") && html.contains("<summary>Hint</summary>"))
        let data = try #require(html.firstMatch(of: #/data-answer="([^"]*)"/#)?.1)
        let tree = try JSONTree(
            parsing: Data(data.replacingOccurrences(of: "&quot;", with: "\"").utf8))
        let width = try #require(tree["width"]?.number.flatMap { Double($0) })
        let offset = try #require(tree["offset"]?.number.flatMap { Double($0) })
        let salt = try #require(tree["salt"]?.text)
        guard case .list(let hashes)? = tree["hashes"] else { throw Missing() }
        #expect(hashes.count == 48)
        func isRight(_ value: Double) -> Bool {
            let number = Int(((value - offset) / width).rounded(.down))
            let digest = Digest.sha256(Array("\(salt):\(number)".utf8)) ?? ""
            return hashes.contains { $0.text.map { digest.hasPrefix($0) && !$0.isEmpty } ?? false }
        }
        #expect([1485, 1500, 1515].allSatisfy(isRight))
        #expect(![1483, 1517, 0, -1500].contains(where: isRight))
        #expect(try page.html(title: "t") == html)
    }

    @Test(
        "ranges reach from one end of the margin to the other",
        arguments: [(1500.0, 17.5), (3.417, 0.034), (-40, 11), (0, 1e-6), (6.371e6, 1), (0.1, 0.1)])
    func ranges(value: Double, margin: Double) {
        let ranges = RightRanges(around: value, margin: margin)
        for inside in [-0.999, -0.5, 0, 0.5, 0.999] { #expect(ranges.contains(value + inside * margin)) }
        for outside in [-1.06, 1.06, 3] { #expect(!ranges.contains(value + outside * margin)) }
        #expect(Set(ranges.hashes("s")).count == 48)
    }

    @Test func codeInQuestionsIsCode() throws {
        let text = "```rutter exercise\nquestion: Ask `$t` & a ` b\nhint: `a <b`\nrutter> 1\n1\n```\n"
        let html = try NotebookPage(try NotebookParser().parse(text), shown: [:]).html(title: "t")
        #expect(html.contains("Ask <code>$t</code> &amp; a ` b"))
        #expect(html.contains("<p><code>a &lt;b</code></p>"))
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

    @Test func aSweepHasASliderThatTellsEachRow() throws {
        let notebook = try NotebookParser().parse("```rutter\nrutter> sweep a [1 2] { $a * 3 }\n...\n```\n")
        let line = try #require(notebook.cells.first?.entries.first?.line)
        var entry = ShownEntry(text: "a  result", failed: false)
        entry.sweep = ShownSweep(parameter: "a<b", columns: ["result"], rows: [("1", ["3"]), ("2", ["6"])])
        let html = try NotebookPage(notebook, shown: [line: entry]).html(title: "t")
        #expect(html.contains("a&lt;b <input type=\"range\" min=\"0\" max=\"1\""))
        #expect(html.contains("[[&quot;1&quot;,&quot;3&quot;],[&quot;2&quot;,&quot;6&quot;]]"))
        #expect(html.contains(".rutter-sweep:not("), "the script that moves it is in the page")
        #expect(html.contains("a  result"), "without a script the table says the same")
    }
}
