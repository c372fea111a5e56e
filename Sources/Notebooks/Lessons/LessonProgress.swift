import Core
import Foundation

/// How far a student is in each lesson, kept in a file of the workspace.
public struct LessonProgress: Sendable {
    /// How far a student is in one lesson.
    public struct Place: Sendable, Hashable, Codable {
        /// The last cell that is done, from 1; 0 before the first.
        public internal(set) var cell = 0
        /// The hash of the cells up to it: when they change, the lesson begins again.
        var digest: String?
        /// What became of the questions, by the numbers of their cells.
        public internal(set) var questions: [Int: Result] = [:]
    }

    /// What became of a question.
    public enum Result: String, Sendable, Codable {
        /// Answered rightly.
        case solved
        /// Its solution was asked for, or a prediction was another.
        case shown
        /// It could not be checked.
        case unchecked
    }

    private let file: URL
    private var places: [String: Place]

    /// The progress in a workspace. Throws `E-NOTEBOOK-FILE` for a file that is not one of progress.
    public init(workspace: URL) throws(NotebookError) {
        file = workspace.appendingPathComponent("lessons.json")
        guard FileManager.default.fileExists(atPath: file.path) else {
            places = [:]
            return
        }
        do {
            places = try JSONDecoder().decode([String: Place].self, from: Data(contentsOf: file))
        } catch {
            throw NotebookError(
                .file, "the progress in \(file.path) cannot be read",
                suggestion: "delete the file to begin again")
        }
    }

    /// The place in a lesson; `nil` for one that was not begun.
    public func place(in lesson: URL) -> Place? { places[Self.key(lesson)] }

    /// Notes a place and writes the file. Throws `E-NOTEBOOK-FILE` where that cannot be done.
    mutating func note(_ place: Place?, in lesson: URL) throws(NotebookError) {
        places[Self.key(lesson)] = place
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .prettyPrinted, .withoutEscapingSlashes]
        do {
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
            try OutputFile.write(encoder.encode(places), to: file, force: true)
        } catch {
            throw NotebookError(.file, "the progress cannot be written to \(file.path): \(error)")
        }
    }

    private static func key(_ lesson: URL) -> String {
        lesson.resolvingSymlinksInPath().standardizedFileURL.path
    }

    /// The hash of what the cells up to a number run.
    static func digest(of notebook: Notebook, through cell: Int) -> String? {
        let inputs = notebook.cells.prefix(cell).flatMap { $0.entries.map(\.input) }
        return Digest.sha256(Array(inputs.joined(separator: "\u{0}").utf8))
    }
}
