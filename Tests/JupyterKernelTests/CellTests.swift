import Formats
import Foundation
import Notebooks
import Testing
import Workbench

@testable import JupyterKernel

struct CellTests {
    @Test(arguments: [
        ("", []), ("1 + 1", ["1 + 1"]), ("let a = 1\n$a\n", ["let a = 1", "$a"]),
        ("[1 2\n3] |\n  count\n\n5", ["[1 2\n3] |\n  count", "5"]), ("  \n\n", []),
        ("'open\ntext", ["'open\ntext"]), ("1 \\\n+ 1", ["1 \\\n+ 1"]),
    ]) func aCellIsEntries(_ code: String, _ entries: [String]) {
        let found = EntrySplitter.entries(of: code)
        #expect(found.map(\.text) == entries)
        for entry in found {
            #expect(String(decoding: code.utf8.dropFirst(entry.start), as: UTF8.self).hasPrefix(entry.text))
        }
    }

    /// An unclosed quote takes nearly linear time.
    @Test func aLongOpenCellIsOneEntry() {
        let code = "[" + String(repeating: "1\n", count: 100_000)
        #expect(EntrySplitter.entries(of: code).count == 1)
    }

    /// What Jupyter runs of an exported notebook are the entries that `rutter test` runs.
    @Test func entriesOfShippedNotebooksSurviveAsCells() throws {
        let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appendingPathComponent("Notebooks")
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).filter {
            $0.hasSuffix(".md")
        }
        #expect(names.count > 20)
        for name in names {
            let notebook = try NotebookParser().parse(contentsOf: folder.appendingPathComponent(name))
            for cell in notebook.cells {
                let code = cell.entries.map(\.input).joined(separator: "\n")
                #expect(
                    EntrySplitter.entries(of: code).map(\.text) == cell.entries.map(\.input),
                    "\(name):\(cell.line)")
            }
        }
    }

    @Test func frontMatterIsTheBeginningOfACell() throws {
        #expect(KernelSession.frontMatter(of: "1\n---") == nil)
        let found = try #require(KernelSession.frontMatter(of: "---\nseed: 1\n---\n1 + 1"))
        #expect(found.front == "---\nseed: 1\n---\n")
        #expect(found.rest == "1 + 1")
        // The parser reports that the end is missing.
        #expect(KernelSession.frontMatter(of: "---\nseed: 1")?.front == "---\nseed: 1\n")
    }

    @Test(arguments: [
        ("abc", "abc", true), ("abc", "a*", true), ("abc", "*c", true), ("abc", "a?c", true),
        ("abc", "*b*", true),
        ("abc", "ab", false), ("abc", "?", false), ("", "*", true), ("", "?", false), ("a[b", "a[b", true),
        ("aXbXc", "a*b*c", true), ("aXbXd", "a*b*c", false),
    ]) func patternsOfHistory(_ text: String, _ pattern: String, _ matches: Bool) {
        #expect(HistorySearch.matches(Array(text.unicodeScalars), Array(pattern.unicodeScalars)) == matches)
    }

    @Test func historyIsSearched() throws {
        let all = ["1 + 1", "help", "1 + 1", "1 + 2"].enumerated().map {
            KernelSession.HistoryEntry(number: $0.offset + 1, input: $0.element, output: "")
        }
        func found(_ json: String) throws -> [Int] {
            HistorySearch(try JSONTree(parsing: Array(json.utf8))).found(in: all).map(\.number)
        }
        #expect(try found(#"{"hist_access_type":"tail","n":2}"#) == [3, 4])
        #expect(try found(#"{"hist_access_type":"range","session":1,"start":2,"stop":4}"#) == [2, 3])
        #expect(try found(#"{"hist_access_type":"range","session":7,"start":2,"stop":4}"#) == [])
        #expect(try found(#"{"hist_access_type":"search","pattern":"1*"}"#) == [1, 3, 4])
        #expect(try found(#"{"hist_access_type":"search","pattern":"1*","unique":true}"#) == [3, 4])
        #expect(try found(#"{"hist_access_type":"search","pattern":"1*","n":1}"#) == [4])
        #expect(try found(#"{"hist_access_type":"tail","n":-1}"#) == [])
    }
}
