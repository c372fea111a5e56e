import Core
import Foundation

/// The progress in each lesson, stored in a file of the workspace.
public struct LessonProgress: Sendable {
    /// The progress in one lesson.
    public struct Place: Sendable, Hashable, Codable {
        /// The last completed cell, from 1; 0 before the first.
        public internal(set) var cell = 0
        /// The hash of the cells up to it: when they change, the lesson starts again.
        var digest: String?
        /// The results of the questions, by cell number.
        public internal(set) var questions: [Int: Result] = [:]
    }

    /// The result of a question.
    public enum Result: String, Sendable, Codable {
        /// Answered correctly.
        case solved
        /// The solution was requested, or the prediction was wrong.
        case shown
        /// Could not be checked.
        case unchecked
    }

    private let file: URL
    private var places: [String: Place]

    /// The progress in a workspace. Throws `E-NOTEBOOK-FILE` for an invalid file.
    public init(workspace: URL) throws(NotebookError) {
        try self.init(file: Self.file(in: workspace))
    }

    /// The file of the progress in a workspace.
    public static func file(in workspace: URL) -> URL { workspace.appendingPathComponent("lessons.json") }

    /// The progress in a file, such as a student's. Throws `E-NOTEBOOK-FILE` for an invalid file.
    public init(file: URL) throws(NotebookError) {
        self.file = file
        guard FileManager.default.fileExists(atPath: file.path) else {
            places = [:]
            return
        }
        do {
            places = try JSONDecoder().decode([String: Place].self, from: Data(contentsOf: file))
        } catch {
            throw NotebookError(
                .file, "the progress in \(file.lastPathComponent) cannot be read",
                suggestion: "restore it from a copy, or rename it to begin anew")
        }
    }

    /// The progress in a lesson; `nil` if not started.
    public func place(in lesson: URL) -> Place? { places[Self.key(lesson)] }

    /// The answered questions, by lesson and cell.
    public var results: [(lesson: String, cell: Int, result: Result)] {
        places.sorted { $0.key < $1.key }.flatMap { path, place in
            let lesson = URL(fileURLWithPath: path).deletingPathExtension().lastPathComponent
            return place.questions.sorted { $0.key < $1.key }.map { (lesson, $0.key, $0.value) }
        }
    }

    /// Records progress and writes the file. Throws `E-NOTEBOOK-FILE` on failure.
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

    /// The hash of the inputs of the cells up to a number.
    static func digest(of notebook: Notebook, through cell: Int) -> String? {
        let inputs = notebook.cells.prefix(cell).flatMap { $0.entries.map(\.input) }
        return Digest.sha256(Array(inputs.joined(separator: "\u{0}").utf8))
    }
}
