import Foundation
import FoundationXML
import Testing

@testable import Notebooks

/// Reads XML into the paths of its elements with their attributes and text.
private final class XMLOutline: NSObject, XMLParserDelegate {
    private(set) var elements: [(name: String, attributes: [String: String], text: String)] = []
    private var open: [Int] = []

    static func read(_ text: String) -> XMLOutline? {
        let outline = XMLOutline()
        let parser = XMLParser(data: Data(text.utf8))
        parser.delegate = outline
        return parser.parse() ? outline : nil
    }

    func parser(
        _ parser: XMLParser, didStartElement name: String, namespaceURI: String?, qualifiedName: String?,
        attributes: [String: String]
    ) {
        open.append(elements.count)
        elements.append((name, attributes, ""))
    }

    func parser(_ parser: XMLParser, foundCharacters text: String) {
        if let last = open.last { elements[last].text += text }
    }

    func parser(
        _ parser: XMLParser, didEndElement name: String, namespaceURI: String?, qualifiedName: String?
    ) {
        open.removeLast()
    }
}

@Suite struct ReportTests {
    private static let nasty = "a<b>&\"'\u{0}\u{1B}\u{FFFE}]]>\n\té \\ # x"

    private static func report() -> NotebookReport {
        var report = NotebookReport(path: "dir/a & #b.md", outcome: .failed)
        report.cells = [
            .init(number: 1, line: 3, status: .passed, seconds: 0.25),
            .init(number: 2, line: 9, status: .failed, seconds: 1.5),
            .init(number: 3, line: 12, status: .shown),
            .init(number: 4, line: 15, status: .failed), .init(number: 5, line: 18, status: .notReached),
        ]
        report.failures = [
            .init(
                cell: 2, entry: 1, line: 10, kind: .differs, input: nasty, message: "differs",
                diff: "-\(nasty)\n+x"),
            .init(cell: 4, entry: 2, line: 16, kind: .crash, input: "crash", message: "ended"),
        ]
        report.notes = [nasty]
        return report
    }

    private static func others() -> [NotebookReport] {
        var skipped = NotebookReport(path: "s.md", outcome: .skipped)
        skipped.reason = "the data file `x` is missing"
        skipped.cells = [.init(number: 1, line: 3, status: .notReached)]
        return [skipped, .failed("e.md", NotebookError(.flag, line: 4, "`x` is no flag"))]
    }

    @Test func junitIsWellFormedAndAddsUp() throws {
        let text = JUnitReport.text([Self.report()] + Self.others())
        let outline = try #require(XMLOutline.read(text), "\(text)")
        let suites = outline.elements.filter { $0.name == "testsuite" }
        #expect(suites.map { $0.attributes["name"] } == ["dir/a & #b.md", "s.md", "e.md"])
        #expect(suites[0].attributes["tests"] == "5")
        #expect(suites[0].attributes["failures"] == "1")
        #expect(suites[0].attributes["errors"] == "1")
        #expect(suites[0].attributes["skipped"] == "2")
        #expect(suites[0].attributes["time"] == "1.750")
        let all = try #require(outline.elements.first)
        #expect(["tests", "failures", "errors"].map { all.attributes[$0] } == ["7", "1", "2"])
        let names = outline.elements.map(\.name)
        #expect(names.filter { $0 == "testcase" }.count == 7)
        #expect(names.filter { $0 == "failure" }.count == 1)
        #expect(names.filter { $0 == "error" }.count == 2)
        #expect(names.filter { $0 == "skipped" }.count == 3)
        let failure = try #require(outline.elements.first { $0.name == "failure" })
        #expect(failure.text.contains("a<b>&\"'\u{FFFD}\u{FFFD}\u{FFFD}]]>"))
        #expect(failure.attributes["message"]?.contains("dir/a & #b.md:10: cell 2: differs") == true)
    }

    /// What Jenkins' junit-10.xsd allows, which its readers validate: the attributes of each element, times with at most three decimals,
    /// and what `testsuite` and `testcase` require.
    @Test func junitHoldsWhatTheSchemaAllows() throws {
        let allowed: [String: Set<String>] = [
            "testsuites": ["name", "time", "tests", "failures", "errors"],
            "testsuite": [
                "name", "tests", "failures", "errors", "group", "time", "skipped", "timestamp", "hostname",
                "id",
                "package",
                "file", "log", "url",
            ],
            "testcase": ["name", "time", "classname", "group"],
            "failure": ["type", "message"], "error": ["type", "message"], "skipped": ["type", "message"],
            "system-out": [],
        ]
        let outline = try #require(XMLOutline.read(JUnitReport.text([Self.report()] + Self.others())))
        for element in outline.elements {
            let known = try #require(allowed[element.name], "\(element.name)")
            #expect(Set(element.attributes.keys).isSubset(of: known), "\(element.name)")
            if let time = element.attributes["time"] {
                #expect(time.wholeMatch(of: /[0-9]{1,3}\.[0-9]{3}/) != nil, "\(time)")
            }
            if element.name == "testsuite" {
                #expect(Set(element.attributes.keys).isSuperset(of: ["name", "tests", "failures", "errors"]))
            }
        }
    }

    /// The grammar of workflow commands: properties and message in one line each, with `%`, line ends, `:` and `,` escaped.
    @Test func annotationsAreOneLineEach() throws {
        let lines = try #require(GitHubAnnotations.text(Self.report())).split(separator: "\n")
        #expect(lines.count == 2)
        #expect(lines[0].hasPrefix("::error file=dir/a & #b.md,line=10,title=cell 2::differs%0A-"))
        #expect(lines[1] == "::error file=dir/a & #b.md,line=16,title=cell 4::ended")
        #expect(lines.allSatisfy { !$0.contains("\r") })
        #expect(GitHubAnnotations.text(NotebookReport(path: "a,b:c.md", outcome: .passed)) == nil)
        var skipped = NotebookReport(path: "a,b:c%.md", outcome: .skipped)
        skipped.reason = "no data"
        #expect(GitHubAnnotations.text(skipped) == "::warning file=a%2Cb%3Ac%25.md,title=skipped::no data")
    }

    @Test func tapIsValid() throws {
        let reports = [Self.report()] + Self.others() + [NotebookReport(path: "p.md", outcome: .passed)]
        let text =
            ([TAPReport.head(count: reports.count)]
            + reports.enumerated().map { TAPReport.text($0.element, number: $0.offset + 1) }).joined(
                separator: "\n")
        let points = try TAPReader.points(text)
        #expect(points.map(\.isOK) == [false, true, false, true])
        #expect(points.map(\.directive) == ["", "SKIP the data file `x` is missing", "", ""])
        #expect(points.map(\.description) == ["dir/a & #b.md", "s.md", "e.md", "p.md"])
        #expect(points[0].children.map(\.isOK) == [true, false, true, false, false])
        #expect(points[0].children[2].directive == "SKIP shown only")
        let message = try #require(points[0].children[1].diagnostic["message"])
        // Lines of a message are indented; all else is as it was.
        #expect(message.contains("a<b>&\"'\0\u{1B}\u{FFFE}]]>\n"))
        #expect(message.contains("\té \\ # x"))
        #expect(points[2].diagnostic["code"] == "E-NOTEBOOK-FLAG")
        #expect(points[2].diagnostic["line"] == "4")
    }

    @Test func coverageListsWhatNothingUses() {
        var first = CoverageReport()
        first.commands = .init(used: ["a"], known: ["a", "b", "c"])
        first.errorCodes = .init(used: ["E-2"], known: ["E-1", "E-2"])
        var second = CoverageReport()
        second.commands = .init(used: ["c"], known: ["a", "b", "c", "d"])
        second.flags = .init(used: ["a --x"], known: ["a --x"])
        first.merge(second)
        #expect(
            first.text == """
                commands: 2 of 4 used; unused:
                  b
                  d
                flags: 1 of 1 used
                error codes: 1 of 2 used; unused:
                  E-1
                """)
    }
}
