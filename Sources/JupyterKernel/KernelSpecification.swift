import Core
import Formats
import Foundation
import Workbench

/// The folder with `kernel.json` by which Jupyter finds the kernel.
public struct KernelSpecification: Sendable {
    /// The name of the kernel, and of the folder.
    public let name: String
    /// The folder.
    public let folder: URL

    /// A kernel below a folder of Jupyter's data. Throws `E-KERNEL-SPEC` for an invalid kernel name.
    public init(name: String, dataFolder: URL) throws(RutterError) {
        let isPlain = name.utf8.allSatisfy {
            "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-".utf8.contains($0)
        }
        guard isPlain, !name.isEmpty, !name.hasPrefix(".") else {
            throw KernelErrors.specification(
                "`\(TerminalText.withoutControls(name))` is not a kernel name",
                fix: "use letters, digits, dots, dashes and underscores")
        }
        self.name = name.lowercased()
        folder = dataFolder.appendingPathComponent("kernels/\(name.lowercased())", isDirectory: true)
    }

    /// The user's kernel folder, as `jupyter --data-dir` prints it.
    public static func userDataFolder(_ environment: [String: String], home: URL) -> URL {
        func folder(_ variable: String) -> URL? {
            environment[variable].flatMap {
                $0.hasPrefix("/") ? URL(fileURLWithPath: $0, isDirectory: true) : nil
            }
        }
        return folder("JUPYTER_DATA_DIR")
            ?? (folder("XDG_DATA_HOME") ?? home.appendingPathComponent(".local/share", isDirectory: true))
            .appendingPathComponent("jupyter", isDirectory: true)
    }

    /// Writes the folder, or replaces our own older one. Throws `E-KERNEL-SPEC` without changes.
    public func install(program: String, arguments: [String]) throws(RutterError) {
        try checkOurs()
        let tree = JSONTree(members: [
            "argv": .list(
                ([program, "kernel", "run"] + arguments + ["{connection_file}"]).map { .text($0) }),
            "display_name": .text(name == "rutter" ? "Rutter" : "Rutter (\(name))"),
            "language": .text("rutter"),
            "interrupt_mode": .text("message"), "metadata": JSONTree(members: ["debugger": .boolean(false)]),
        ])
        do {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        } catch {
            throw KernelErrors.specification("the folder \(folder.path) cannot be created")
        }
        try OutputFile.write(Data((JSONWriter(.fitted).text(tree) + "\n").utf8), to: file, force: true)
    }

    /// Deletes the folder. Throws `E-KERNEL-SPEC` if it is missing or another kernel's.
    public func remove() throws(RutterError) {
        guard FileManager.default.fileExists(atPath: folder.path) else {
            throw KernelErrors.specification("the kernel `\(name)` is not installed at \(folder.path)")
        }
        try checkOurs()
        do { try FileManager.default.removeItem(at: folder) } catch {
            throw KernelErrors.specification("the folder \(folder.path) cannot be deleted")
        }
    }

    private var file: URL { folder.appendingPathComponent("kernel.json") }

    private func checkOurs() throws(RutterError) {
        guard FileManager.default.fileExists(atPath: folder.path) else { return }
        let language = FileManager.default.contents(atPath: file.path)
            .flatMap { try? JSONTree(parsing: $0) }?["language"]?.text
        guard language == "rutter" else {
            throw KernelErrors.specification(
                "\(folder.path) belongs to another kernel", fix: "choose another name with --name")
        }
    }
}
