import Foundation
import Notebooks
import PluginKit
import Workbench

/// The folder in which the tour and the lessons of the program lie to be run: its own, so that a lesson is resumed where it was left.
struct CourseFolder {
    let url = UserFolders.data(ProcessInfo.processInfo.environment).appendingPathComponent(
        "course", isDirectory: true)

    /// Writes what is missing or of another version. Throws `E-NOTEBOOK-FILE`.
    func prepare() throws(NotebookError) {
        do { try Material.write(Material.files, to: url) } catch {
            throw NotebookError(
                .file, "the lessons cannot be written to \(url.path): \(error.localizedDescription)",
                suggestion: "set XDG_DATA_HOME to a folder that can be written")
        }
    }

    /// The notebook that a word names: `lesson-graphs`, `graphs` or `lesson-graphs.md`, or `2`, its number in the course.
    func notebook(_ word: String) -> URL? {
        let name = word.hasSuffix(".md") ? String(word.dropLast(3)) : word
        let named = Material.notebooks.first { ["\(name).md", "lesson-\(name).md"].contains($0.path) }
        let numbered = Int(word).flatMap { number in
            Material.notebooks.first {
                (try? NotebookParser().parse(String(decoding: $0.bytes, as: UTF8.self)))?.settings.lesson
                    == number
            }
        }
        return (named ?? numbered).map { url.appendingPathComponent($0.path) }
    }
}
