import Foundation

/// Files whose names are not UTF-8 text, as on cards and disks of older systems: Foundation lists a folder without them.
enum UndecodableNames {
    /// Folders in folders that are searched.
    private static let deepest = 64

    /// Their paths below a folder, each byte that is no text as `\xE9`, sorted.
    static func below(_ folder: String) -> [String] {
        var found: [String] = []
        search(folder, name: "", depth: 0, &found)
        return found.sorted()
    }

    private static func search(_ folder: String, name: String, depth: Int, _ found: inout [String]) {
        guard depth < deepest, let stream = opendir(folder) else { return }
        defer { closedir(stream) }
        while let entry = readdir(stream) {
            let isFolder = entry.pointee.d_type == UInt8(DT_DIR)
            withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                pointer.withMemoryRebound(
                    to: CChar.self, capacity: MemoryLayout.size(ofValue: pointer.pointee)
                ) {
                    guard let text = String(validatingCString: $0) else {
                        found.append(name + written($0))
                        return
                    }
                    guard isFolder, text != ".", text != ".." else { return }
                    search(folder + "/" + text, name: name + text + "/", depth: depth + 1, &found)
                }
            }
        }
    }

    private static func written(_ bytes: UnsafePointer<CChar>) -> String {
        UnsafeBufferPointer(start: bytes, count: strlen(bytes)).map { byte in
            let byte = UInt8(bitPattern: byte)
            return byte < 0x80
                ? String(UnicodeScalar(byte)) : "\\x" + String(byte, radix: 16, uppercase: true)
        }
        .joined()
    }
}
