import Core
import Foundation

/// Previous passes with their program and data: `.rutter-test.json` in the working folder.
///
/// Needed to attribute a difference to the program or to the data. An unreadable record counts as empty;
/// failure to write it is not an error.
struct PassRecord: Codable, Sendable {
    /// The name of the file.
    static let fileName = ".rutter-test.json"

    /// The program and data with which a cell passed.
    struct Pass: Codable, Sendable, Hashable {
        var program: String
        var data: [String: String]
    }

    /// The last run of a notebook.
    struct Notebook: Codable, Sendable {
        var outcome: String
        /// Passes by the SHA-256 of the cell.
        var cells: [String: Pass] = [:]
    }

    var version = 1
    /// The program's size and modification time, so that it is hashed only after a change.
    var programStamp = ""
    var program = ""
    var notebooks: [String: Notebook] = [:]

    /// The record in a folder.
    init(in folder: URL) {
        guard let data = try? Data(contentsOf: folder.appendingPathComponent(Self.fileName)),
            let read = try? JSONDecoder().decode(PassRecord.self, from: data), read.version == 1
        else { return }
        self = read
    }

    /// Finds the hash of the program that runs the notebooks; `nil` where it cannot be computed.
    mutating func identify(program path: String) -> String? {
        guard let facts = try? FileManager.default.attributesOfItem(atPath: path),
            let size = facts[.size] as? Int, let changed = facts[.modificationDate] as? Date
        else { return nil }
        let stamp = "\(size) \(changed.timeIntervalSince1970)"
        if stamp != programStamp || program.isEmpty {
            guard NativeLibrary.crypto.isAvailable,
                let hash = InputData.sha256(of: URL(fileURLWithPath: path))
            else { return nil }
            (programStamp, program) = (stamp, hash)
        }
        return program
    }

    /// What the record proves about the failed cells of a notebook.
    func blame(_ report: NotebookReport, program: String?) -> [String] {
        guard let print = report.fingerprint, let program else { return [] }
        let known = notebooks[report.path]?.cells ?? [:]
        return report.cells.filter { $0.status == .failed && $0.number <= print.cells.count }.map { cell in
            guard let pass = known[print.cells[cell.number - 1]] else {
                return "cell \(cell.number) has no recorded pass: whether it ever matched is unknown"
            }
            let files = Set(pass.data.keys).union(print.data.keys).sorted().filter {
                pass.data[$0] != print.data[$0]
            }
            let facts =
                (pass.program != program ? ["the program"] : [])
                + (files.isEmpty ? [] : ["the data (\(files.joined(separator: ", ")))"])
            guard !facts.isEmpty else {
                return
                    "cell \(cell.number) passed before with the same program and data: its output is not deterministic"
            }
            return "cell \(cell.number) passed before; since then \(facts.joined(separator: " and ")) changed"
        }
    }

    /// Adds a run to the record: cells that passed now, and earlier ones that are still in the notebook.
    mutating func take(_ report: NotebookReport, program: String?) {
        var entry = Notebook(outcome: report.outcome.rawValue)
        if let print = report.fingerprint {
            let before = notebooks[report.path]?.cells ?? [:]
            for (index, hash) in print.cells.enumerated() {
                let passed = report.cells.contains { $0.number == index + 1 && $0.status == .passed }
                if passed, let program {
                    entry.cells[hash] = Pass(program: program, data: print.data)
                } else {
                    entry.cells[hash] = before[hash]
                }
            }
        } else {
            entry.cells = notebooks[report.path]?.cells ?? [:]
        }
        notebooks[report.path] = entry
    }

    /// Writes it atomically.
    func write(in folder: URL) {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .prettyPrinted, .withoutEscapingSlashes]
        guard let data = try? encoder.encode(self) else { return }
        // A read-only folder, as in CI, has no record.
        try? data.write(to: folder.appendingPathComponent(Self.fileName), options: .atomic)
    }
}
