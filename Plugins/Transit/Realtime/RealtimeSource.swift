import Archives
import Fetching
import Foundation
import PluginKit

/// Reads messages from files, folders and addresses.
struct RealtimeSource {
    let context: Context
    /// The prefix of the feed's identifiers in the timetable.
    let prefix: String

    /// The messages of a file, a folder or an address.
    func messages(_ source: String) async throws -> [RealtimeSnapshot] {
        if Self.isAddress(source) { return [try await fetched(source)] }
        let url: URL
        do {
            url = try context.files.input(source)
        } catch let error as RutterError {
            throw error.located(at: .parameter("sources"))
        }
        var isFolder: ObjCBool = false
        _ = FileManager.default.fileExists(atPath: url.path, isDirectory: &isFolder)
        guard isFolder.boolValue else { return [try file(url)] }
        let names = try FileManager.default.contentsOfDirectory(atPath: url.path).filter {
            !$0.hasPrefix(".")
        }.sorted()
        let messages = names.filter { name in Self.endings.contains { name.hasSuffix($0) } }
        let others = names.filter { name in Self.otherEndings.contains { name.hasSuffix($0) } }
        guard !messages.isEmpty || !others.isEmpty else {
            throw TransitErrors.realtime("\(url.lastPathComponent) has no .pb files and no messages as JSON")
        }
        let read = try messages.map { try file(url.appendingPathComponent($0)) }
        // Beside messages there may be other JSON; one that cannot be read is refused as in the binary form.
        let further = try others.compactMap { name in
            let own = url.appendingPathComponent(name)
            do {
                return try file(own)
            } catch let error as RutterError
                where error.code == TransitErrors.realtime.code && names.count > 1
            {
                if try MessageLikeness.isOfMessage(unpacked(bytes(own), named: name)) { throw error }
                return nil
            }
        }
        guard !read.isEmpty || !further.isEmpty else {
            throw TransitErrors.realtime("\(url.lastPathComponent) has no messages: \(others[0]) is none")
        }
        return read + further
    }

    /// The endings of messages in a folder, and those that other files may have too.
    private static let endings = [".pb", ".pb.gz", ".textproto", ".pbtxt", ".prototxt"]
    private static let otherEndings = [".json", ".json.gz"]

    private static func isAddress(_ source: String) -> Bool {
        let lowered = source.lowercased()
        return lowered.hasPrefix("http://") || lowered.hasPrefix("https://")
    }

    private func file(_ url: URL) throws -> RealtimeSnapshot {
        try snapshot(bytes(url), named: url.lastPathComponent)
    }

    private func bytes(_ url: URL) throws -> [UInt8] {
        let source = try FeedFileBytes(url)
        var bytes: [UInt8] = []
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: TransitSettings.chunk, alignment: 16)
        defer { buffer.deallocate() }
        while true {
            let count = try source.read(into: buffer)
            if count == 0 { break }
            bytes += buffer[..<count]
            guard bytes.count <= TransitSettings.largestMessage else {
                throw TransitErrors.realtime(
                    "\(url.lastPathComponent) is larger than \(TransitSettings.largestMessage >> 20) MiB")
            }
        }
        return bytes
    }

    /// Reads a message; errors name its source.
    private func snapshot(_ bytes: [UInt8], named name: String) throws -> RealtimeSnapshot {
        let bytes = try unpacked(bytes, named: name)
        do {
            return try RealtimeSnapshot(
                file: name, feed: RealtimeFeed(anyForm: bytes, named: name), prefix: prefix)
        } catch let error as RutterError where error.code == TransitErrors.realtime.code {
            throw TransitErrors.realtime(
                error.message.hasPrefix(name) ? error.message : "\(name): \(error.message)",
                fix: error.fix ?? "check that it is a whole GTFS-realtime message")
        }
    }

    /// The message within gzip and other compressions, as servers and recorders write it.
    private func unpacked(_ bytes: [UInt8], named name: String) throws -> [UInt8] {
        guard SourceBytes.isCompressed(bytes) else { return bytes }
        let reader = try ArchiveReader(SourceBytes(bytes, name: name), as: [.compressed, .single])
        guard try reader.next() != nil else { return [] }
        let message = try reader.bytes(limit: TransitSettings.largestMessage)
        guard message.count <= TransitSettings.largestMessage else {
            throw TransitErrors.realtime(
                "\(name) is larger than \(TransitSettings.largestMessage >> 20) MiB unpacked")
        }
        return message
    }

    /// Requests an address, once. Its query may contain a key, so errors name only the host.
    private func fetched(_ address: String) async throws -> RealtimeSnapshot {
        guard let host = URLComponents(string: address)?.host, !host.isEmpty else {
            throw TransitErrors.network("the address `\(address)` has no host")
        }
        guard context.files.allowsNetwork else {
            throw TransitErrors.network("this notebook may not use the network", fix: "--allow-network")
        }
        try NativeLibrary.http.require()
        let client = HTTPClient(
            timeout: TransitSettings.networkTimeout, longest: TransitSettings.largestFetched)
        do {
            return try snapshot(Array(try await client.get(address)), named: host)
        } catch let failure as HTTPClient.Failure {
            switch failure {
            case .unreachable(let why):
                throw TransitErrors.network("\(host) cannot be reached: \(why)", fix: "check the network")
            case .refused(let code):
                throw TransitErrors.network(
                    "\(host) refused the request: status \(code)", fix: "check the address")
            case .unusable(let why): throw TransitErrors.network("\(host): \(why)", fix: "check the address")
            }
        }
    }
}
