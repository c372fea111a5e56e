import Foundation
import Testing

@testable import LineEditing

/// History without a terminal.
struct HistoryTests {
    private let home: DemoHome
    private let path: String

    init() throws {
        home = try DemoHome()
        path = home.appendingPathComponent("state/history").path
    }

    @Test(arguments: [
        ("plain", "plain"), ("a\nb", #"a\nb"#), (#"a\nb"#, #"a\\nb"#), ("\\\n\\", #"\\\n\\"#),
        ("東京\r", #"東京\r"#), ("", ""),
    ])
    func encoding(entry: String, line: String) {
        #expect(HistoryEncoding.encode(entry) == line)
        #expect(HistoryEncoding.decode(line) == entry)
    }

    @Test(arguments: [("a", true), (" a", false), ("", false), ("\n\t", false), ("a ", true)])
    func keeping(entry: String, isKept: Bool) {
        #expect(HistoryEncoding.isKept(entry) == isKept)
    }

    /// `#expect` cannot see into a call that changes a value.
    private func add(_ entry: String, to history: inout EntryHistory) -> Bool { history.add(entry) }

    @Test func entriesAreKeptPrivately() throws {
        var history = EntryHistory(path: path, limit: 10)
        #expect(add("one", to: &history))
        #expect(!add("one", to: &history))
        #expect(!add(" two", to: &history))
        #expect(add("three\nfour", to: &history))
        #expect(history.problem == nil)
        #expect(EntryHistory(path: path, limit: 10).entries == ["one", "three\nfour"])
        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        #expect(attributes[.posixPermissions] as? Int == 0o600)
    }

    /// The session recalls what was typed; the file outlives it.
    @Test func theFileHasNoSecrets() throws {
        var history = EntryHistory(path: path, limit: 10) { $0.replacing("hunter2", with: "*******") }
        #expect(add("open http://u:hunter2@h", to: &history))
        #expect(history.entries == ["open http://u:hunter2@h"])
        #expect(EntryHistory(path: path, limit: 10).entries == ["open http://u:*******@h"])
    }

    @Test func onlyTheNewestEntriesAreKept() throws {
        var history = EntryHistory(path: path, limit: 3)
        for number in 1...5 { #expect(add("entry \(number)", to: &history)) }
        #expect(history.entries == ["entry 3", "entry 4", "entry 5"])
        #expect(EntryHistory(path: path, limit: 3).entries == history.entries)
        for number in 6...9 { #expect(add("entry \(number)", to: &history)) }
        #expect(EntryHistory(path: path, limit: 3).entries == ["entry 7", "entry 8", "entry 9"])
        #expect(try String(contentsOfFile: path, encoding: .utf8) == "entry 7\nentry 8\nentry 9\n")
    }

    @Test func aLineCutShortDoesNotSpoilTheNext() throws {
        var history = EntryHistory(path: path, limit: 10)
        #expect(add("one", to: &history))
        let handle = try #require(FileHandle(forWritingAtPath: path))
        try handle.seekToEnd()
        try handle.write(contentsOf: Data("cut sh".utf8) + Data([0xFF]))
        try handle.close()
        #expect(add("two", to: &history))
        #expect(EntryHistory(path: path, limit: 10).entries == ["one", "cut sh\u{FFFD}", "two"])
    }

    @Test func sessionsSideBySideLoseNothing() async throws {
        let path = path
        await withTaskGroup { group in
            for session in 0..<4 {
                group.addTask {
                    var history = EntryHistory(path: path, limit: 1000)
                    for number in 0..<50 { _ = history.add("session \(session)\nentry \(number)") }
                }
            }
        }
        let entries = try #require(try? HistoryFile(path: path, limit: 1000).load())
        #expect(entries.count == 200)
        #expect(Set(entries).count == 200)
    }

    @Test func aFileReplacedMeanwhileIsOpenedAnew() throws {
        var first = EntryHistory(path: path, limit: 2)
        for number in 1...5 { #expect(add("\(number)", to: &first)) }
        #expect(EntryHistory(path: path, limit: 2).entries == ["4", "5"])
        #expect(add("6", to: &first))
        #expect(EntryHistory(path: path, limit: 10).entries == ["4", "5", "6"])
    }

    @Test func aLinkStaysALink() throws {
        let folder = URL(fileURLWithPath: path).deletingLastPathComponent()
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let target = folder.appendingPathComponent("elsewhere").path
        try "1\n2\n3\n4\n5\n".write(toFile: target, atomically: true, encoding: .utf8)
        try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: target)
        #expect(EntryHistory(path: path, limit: 2).entries == ["4", "5"])
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: path) == target)
        #expect(try String(contentsOfFile: target, encoding: .utf8) == "4\n5\n")
    }

    @Test func aPathThatCannotBeIsAProblem() {
        var history = EntryHistory(path: "/dev/null/history", limit: 2)
        #expect(add("one", to: &history))
        #expect(history.entries == ["one"])
        #expect(history.problem?.hasPrefix("/dev/null/history: ") == true)
    }

    @Test func browsing() {
        var browser = HistoryBrowser(entries: ["one", "two"])
        let walk = [
            browser.next(from: "draft"), browser.previous(from: "draft"),
            browser.previous(from: "two changed"), browser.previous(from: "one"), browser.next(from: "one"),
            browser.next(from: "two changed"),
        ]
        #expect(walk == [nil, "two", "one", nil, "two changed", "draft"])
    }

    @Test func browsingGoesOnFromWhatASearchFound() {
        var browser = HistoryBrowser(entries: ["one", "two", "three"])
        browser.continueAfterSearch(at: "two")
        let before = browser.previous(from: "two")
        browser.continueAfterSearch(at: "unknown")
        let after = browser.next(from: "one")
        #expect([before, after] == ["one", "two"])
    }
}
