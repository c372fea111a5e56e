import CSofa
import Foundation
import PluginKit

/// A measured head: a SOFA file (AES69) read by libmysofa, resampled to our rate where it has another.
package final class MeasuredHead: HeadModel, @unchecked Sendable {
    package let description: String
    package let taps: Int
    /// Samples a second in the file.
    package let fileRate: Double
    /// Measurements in the file.
    package let measurements: Int
    /// Only read once it is made, but the library lends a buffer of it to each look-up: hence the lock.
    private let easy: UnsafeMutablePointer<MYSOFA_EASY>
    private let lock = NSLock()
    /// Longest delay that the file asks for beside its responses, in samples.
    private static let delayRoom = 256

    /// Opens a file; throws `E-BEACON-SOFA` or `E-FILE-ACCESS`.
    package init(_ url: URL) throws {
        let name = url.lastPathComponent
        try SofaFile.check(url)
        let facts = try SofaFile.facts(url)
        var length: Int32 = 0
        var status: Int32 = 0
        guard
            let easy = mysofa_open(url.path, Float(BeaconSettings.sampleRate), &length, &status), length > 0
        else { throw BeaconErrors.sofa("\(name) cannot be used: \(SofaFile.words(status))") }
        self.easy = easy
        fileRate = facts.rate
        measurements = facts.measurements
        taps = Int(length) + Self.delayRoom
        let resampled = facts.rate == Double(BeaconSettings.sampleRate)
        description =
            "measured, \(name): \(facts.measurements) directions"
            + (resampled ? "" : ", \(Literal.number(facts.rate / 1000)) kHz resampled to 48 kHz")
    }

    deinit { mysofa_close(easy) }

    package func responses(relative: Double) -> EarResponses {
        let length = taps - Self.delayRoom
        var left = [Float](repeating: 0, count: length)
        var right = left
        var (leftDelay, rightDelay): (Float, Float) = (0, 0)
        let angle = relative * .pi / 180
        // SOFA: x ahead, y to the left, z up.
        lock.withLock {
            mysofa_getfilter_float(
                easy, Float(cos(angle)), Float(-sin(angle)), 0, &left, &right, &leftDelay, &rightDelay)
        }
        return EarResponses(left: delayed(left, leftDelay), right: delayed(right, rightDelay))
    }

    /// The response with the delay in front that the file keeps apart, in whole samples.
    private func delayed(_ response: [Float], _ seconds: Float) -> [Float] {
        let samples = (Double(seconds) * Double(BeaconSettings.sampleRate)).rounded()
        let count = samples.isFinite ? Int(max(0, min(Double(Self.delayRoom), samples))) : 0
        let sound = response.map { $0.isFinite ? $0 : 0 }
        return [Float](repeating: 0, count: count) + sound
            + [Float](repeating: 0, count: Self.delayRoom - count)
    }
}

/// Looks into a SOFA file before it is used.
enum SofaFile {
    private static let signature: [UInt8] = [0x89, 0x48, 0x44, 0x46, 0x0D, 0x0A, 0x1A, 0x0A]

    /// Throws unless it is a regular file that begins as an HDF5 file does.
    static func check(_ url: URL) throws {
        let name = url.lastPathComponent
        var info = stat()
        guard stat(url.path, &info) == 0 else { throw CommonErrors.fileMissing("there is no file \(name)") }
        guard info.st_mode & S_IFMT == S_IFREG else {
            throw CommonErrors.fileAccess("\(name) is no regular file")
        }
        guard info.st_size <= BeaconSettings.longestSofa else {
            throw BeaconErrors.sofa("\(name) has \(info.st_size) bytes; such files are shorter")
        }
        guard let file = try? FileHandle(forReadingFrom: url) else {
            throw CommonErrors.fileAccess("\(name) cannot be read")
        }
        defer { try? file.close() }
        guard let head = try? file.read(upToCount: signature.count), Array(head) == signature else {
            throw BeaconErrors.sofa("\(name) is no SOFA file: it does not begin as an HDF5 file does")
        }
    }

    /// What the library needs to be told before it resamples: absurd numbers would take all memory.
    static func facts(_ url: URL) throws -> (rate: Double, measurements: Int) {
        let name = url.lastPathComponent
        var status: Int32 = 0
        guard let hrtf = mysofa_load(url.path, &status) else {
            throw BeaconErrors.sofa("\(name) cannot be read: \(words(status))")
        }
        defer { mysofa_free(hrtf) }
        let (ears, count, measurements) = (hrtf.pointee.R, hrtf.pointee.N, hrtf.pointee.M)
        guard ears == 2 else {
            throw BeaconErrors.sofa("\(name) is of another layout: \(ears) ears instead of 2")
        }
        guard count > 0, count <= BeaconSettings.longestResponse, measurements > 0 else {
            throw BeaconErrors.sofa(
                "\(name) is of another layout: \(measurements) measurements of \(count) samples")
        }
        guard hrtf.pointee.DataSamplingRate.elements > 0, let rates = hrtf.pointee.DataSamplingRate.values,
            BeaconSettings.sofaRates.contains(Double(rates[0]))
        else { throw BeaconErrors.sofa("\(name) does not tell a usable sampling rate") }
        let needed = UInt64(measurements) * 2 * UInt64(count)
        guard UInt64(hrtf.pointee.DataIR.elements) >= needed,
            UInt64(hrtf.pointee.SourcePosition.elements) >= UInt64(measurements) * 3
        else { throw BeaconErrors.sofa("\(name) is of another layout: it holds less than it announces") }
        let verdict = mysofa_check(hrtf)
        guard verdict == 0 else {
            throw BeaconErrors.sofa("\(name) is of another layout: \(words(verdict))")
        }
        return (Double(rates[0]), Int(measurements))
    }

    /// The library's codes in words.
    static func words(_ status: Int32) -> String {
        switch Int(status) {
        case 10_000: "its format is damaged"
        case 10_001: "its format is not supported"
        case 10_002: "it needs more memory than there is"
        case 10_003: "it is cut off or cannot be read"
        case 10_004: "it is not of the convention SimpleFreeFieldHRIR"
        case 10_005, 10_006: "its dimensions do not fit together"
        case 10_007: "its positions are in coordinates that are not known"
        case 10_008...10_016: "its receivers, emitters or delays are arranged otherwise (\(status))"
        default: "the library refuses it (\(status))"
        }
    }
}
