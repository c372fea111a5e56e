/// A database that does not stand where its file begins, or not as it was.
enum MisplacedDatabase {
    /// What became of the database; `nil` if there is none at the start of a file.
    static func diagnosis(_ start: [UInt8], size: Int) -> FileDiagnosis? {
        behindOthers(start) ?? withoutZeros(start)
    }

    /// A database behind other bytes, such as what a program said while it was copied into the file.
    private static func behindOthers(_ start: [UInt8]) -> FileDiagnosis? {
        let magic = FileDiagnosis.magic
        var from = 1
        while let first = start[from...].firstIndex(of: magic[0]) {
            let rest = start[first...]
            if rest.starts(with: magic), HeaderReading.pageSize(Array(rest.prefix(header))) != nil {
                let words = FileDiagnosis.beginning(Array(start[..<first])).map { ", `\($0)`" } ?? ""
                return FileDiagnosis(
                    .otherFile, "a database behind \(first, of: "byte") of something else\(words)",
                    "cut them off: tail -c +\(first + 1) FILE > new.db")
            }
            from = first + 1
            if from >= start.count { break }
        }
        return nil
    }

    /// Bytes that describe a database.
    private static let header = 100

    /// A database whose zero bytes a transfer as text dropped, the one behind the name of the format among them.
    private static func withoutZeros(_ start: [UInt8]) -> FileDiagnosis? {
        let name = FileDiagnosis.magic.dropLast()
        guard start.count > header, start.starts(with: name), !start.contains(0) else { return nil }
        return FileDiagnosis(
            .transfer, "a database without its zero bytes, which a transfer as text removed",
            "transfer the file again as binary, for example with `adb exec-out` or `adb pull`; what was removed cannot be put back"
        )
    }
}
