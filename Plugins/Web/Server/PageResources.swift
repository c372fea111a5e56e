import CWebPage

/// The page's own files by name; a test compares the list with the folder.
enum PageResources {
    static let all: [(name: String, bytes: [UInt8])] = {
        var count = 0
        guard let first = web_files(&count) else { return [] }
        return UnsafeBufferPointer(start: first, count: count).map { file in
            (
                String(cString: file.name),
                Array(UnsafeBufferPointer(start: file.bytes, count: file.size))
            )
        }
    }()
}
