import Foundation
import PluginKit
import PluginTestKit
import Testing

/// A session as it is seen on a terminal: lines after the prompt are typed, the lines below them are what is shown.
/// The notebook format without its patterns.
struct Transcript {
    static let prompt = "rutter> "
    static let continuation = "   ...> "

    struct Entry {
        var input: String
        var output: String
    }

    private(set) var entries: [Entry] = []

    init(_ text: String) {
        var outputs: [String] = []
        func finish() {
            if let last = entries.indices.last { entries[last].output = outputs.joined(separator: "\n") }
            outputs = []
        }
        for line in text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init) {
            if line.hasPrefix(Self.prompt) {
                finish()
                entries.append(Entry(input: String(line.dropFirst(Self.prompt.count)), output: ""))
            } else if line.hasPrefix(Self.continuation), let last = entries.indices.last {
                entries[last].input += "\n" + line.dropFirst(Self.continuation.count)
            } else {
                outputs.append(line)
            }
        }
        finish()
    }

    /// Runs all entries in one session and compares what each shows.
    func check(in session: TestSession, sourceLocation: SourceLocation = #_sourceLocation) async {
        for entry in entries {
            let shown = await session.run(entry.input)
            #expect(shown == entry.output, "\(entry.input)", sourceLocation: sourceLocation)
        }
    }

    /// Checks a transcript in a fresh session with the huts.
    static func check(_ text: String, sourceLocation: SourceLocation = #_sourceLocation) async throws {
        let session = try TestSession(plugins: { [HutPlugin()] })
        await Transcript(text).check(in: session, sourceLocation: sourceLocation)
    }
}
