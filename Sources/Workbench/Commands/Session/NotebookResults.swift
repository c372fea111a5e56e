import Core
import Foundation
import Notebooks
import PluginKit

/// `notebook results [FILE …]`
struct NotebookResultsCommand: CommandProvider {
    private static let columns = ["student", "lesson", "cell", "result"]

    var name: String { "notebook results" }

    var command: Command {
        Command(
            name, "list answers to the questions of lessons",
            details: """
                A row for each question that was reached in `rutter learn`: `solved`, `shown` if the solution was requested or a \
                prediction was wrong, `unchecked` if it could not be checked. Without a file, those of this workspace. A class \
                hands in the file lessons.json of each workspace; the student is the name of its folder, or that of the file if \
                it has another name. Files that cannot be read are named in a note, and left as they are.
                """,
            .rest("files", .inputFile, "progress files of students, lessons.json of a workspace"),
            output: .rows(Self.columns), effect: .reads,
            examples: [
                .init("none yet", "notebook results | count", gives: "0"),
                .init(
                    "a file that does not exist", "expect-error E-FILE-MISSING notebook results anna.json",
                    gives: "no such file: anna.json"),
            ],
            searchTerms: [
                "grade the homework", "marks of students", "homework", "lesson", "learn", "class", "teacher",
                "grades", "quiz", "exercise", "score",
            ]
        ) { context, files in
            let own = LessonProgress.file(in: context.workspace)
            var rows: [[Value]] = []
            var damaged: [String] = []
            for file in files.isEmpty ? [own] : files {
                do {
                    rows += try LessonProgress(file: file).results.map {
                        [
                            .text(Self.student(file)), .text($0.lesson), .integer($0.cell),
                            .text($0.result.rawValue),
                        ]
                    }
                } catch let error as NotebookError {
                    // Those of the others still count.
                    guard files.count > 1 else {
                        throw NotebookErrors.wrap(error, path: file.lastPathComponent)
                    }
                    damaged.append(Self.student(file))
                }
            }
            return .table(
                columns: Self.columns, cells: rows,
                note: damaged.isEmpty
                    ? nil : "cannot be read, and left as it is: \(damaged.joined(separator: ", "))")
        }
    }

    /// The student of a progress file.
    private static func student(_ file: URL) -> String {
        let name = file.deletingPathExtension().lastPathComponent
        return name == "lessons" ? file.deletingLastPathComponent().lastPathComponent : name
    }
}
