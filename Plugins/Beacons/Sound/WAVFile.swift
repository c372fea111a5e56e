import Foundation
import PluginKit

/// Writes a stereo WAV file (RIFF, 16-bit PCM, 48 kHz) block by block, to a temporary name that is renamed at the end:
/// either the whole sound is there, or nothing has changed.
package final class WAVFile {
    private let url: URL
    private let temporary: URL
    private let parameter: String
    private let handle: FileHandle
    private var header: Data
    private var buffer: [Int16] = []
    private var isDone = false
    /// Samples that are kept before they are written.
    private static let flushAt = 1 << 17
    private static let channels = 2
    private static let bytesPerSample = 2

    /// Begins a file of so many frames; throws `E-FILE-EXISTS` or `E-FILE-ACCESS`.
    package init(_ url: URL, frames: Int, force: Bool, parameter: String = "out") throws {
        self.url = url
        self.parameter = parameter
        let name = url.lastPathComponent
        if !force, FileManager.default.fileExists(atPath: url.path) {
            throw CommonErrors.fileExists(
                "\(name) exists already", at: .parameter(parameter),
                fix: "choose another name, or say --force")
        }
        try OutputFile.checkPlace(url, parameter: parameter)
        temporary = URL(fileURLWithPath: url.path + ".rutter-\(getpid())")
        guard FileManager.default.createFile(atPath: temporary.path, contents: nil) else {
            throw Self.refused(name, String(cString: strerror(errno)), parameter)
        }
        guard let handle = try? FileHandle(forWritingTo: temporary) else {
            unlink(temporary.path)
            throw Self.refused(name, String(cString: strerror(errno)), parameter)
        }
        self.handle = handle
        header = Self.header(frames: frames)
        buffer.reserveCapacity(Self.flushAt + 4 * BeaconSettings.block)
    }

    deinit {
        try? handle.close()
        if !isDone { unlink(temporary.path) }
    }

    /// Adds samples, left and right in turn, each within ±1.
    package func write(_ samples: UnsafeBufferPointer<Float>) throws {
        for sample in samples {
            let level = max(-1, min(1, sample.isFinite ? sample : 0))
            buffer.append(Int16((level * Float(Int16.max)).rounded()).littleEndian)
        }
        if buffer.count >= Self.flushAt { try flush() }
    }

    /// Ends the file and gives it its name.
    package func finish() throws {
        try flush()
        do {
            try handle.synchronize()
        } catch {
            throw failed(error)
        }
        guard rename(temporary.path, url.path) == 0 else {
            throw Self.refused(url.lastPathComponent, String(cString: strerror(errno)), parameter)
        }
        isDone = true
    }

    private func flush() throws {
        do {
            if !header.isEmpty { try handle.write(contentsOf: header) }
            header = Data()
            try handle.write(contentsOf: buffer.withUnsafeBytes { Data($0) })
        } catch {
            throw failed(error)
        }
        buffer.removeAll(keepingCapacity: true)
    }

    private func failed(_ error: any Error) -> RutterError {
        Self.refused(url.lastPathComponent, (error as NSError).localizedDescription, parameter)
    }

    private static func refused(_ name: String, _ reason: String, _ parameter: String) -> RutterError {
        CommonErrors.fileAccess("\(name) cannot be written: \(reason)", at: .parameter(parameter))
    }

    /// The header of a canonical WAV file.
    private static func header(frames: Int) -> Data {
        let rate = BeaconSettings.sampleRate
        let frameBytes = channels * bytesPerSample
        let bytes = frames * frameBytes
        var data = Data("RIFF".utf8)
        func append<T: FixedWidthInteger>(_ value: T) {
            withUnsafeBytes(of: value.littleEndian) { data.append(contentsOf: $0) }
        }
        append(UInt32(clamping: bytes + 36))
        data.append(contentsOf: Data("WAVEfmt ".utf8))
        append(UInt32(16))
        append(UInt16(1))
        append(UInt16(channels))
        append(UInt32(rate))
        append(UInt32(rate * frameBytes))
        append(UInt16(frameBytes))
        append(UInt16(8 * bytesPerSample))
        data.append(contentsOf: Data("data".utf8))
        append(UInt32(clamping: bytes))
        return data
    }
}
