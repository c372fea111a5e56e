import CSofa
import Foundation
import PluginKit

/// A measured head: a SOFA file (AES69) read by libmysofa, resampled to 48 kHz if necessary.
///
/// The library runs in a separate process that returns the responses for each degree around the listener: a
/// damaged file can crash the library, but not the session.
package struct MeasuredHead: HeadModel {
    package let description: String
    package let taps: Int
    /// Samples a second in the file.
    let fileRate: Double
    /// Measurements in the file.
    let measurements: Int
    private let directions: [EarResponses]
    /// Longest separately stored delay, in samples.
    private static let delayRoom = 256
    private static let degrees = 360

    /// Opens a file; throws `E-BEACON-SOFA` or `E-FILE-ACCESS`.
    package init(_ url: URL) throws {
        try NativeLibrary.sofa.require()
        try SofaFile.check(url)
        var head = csofa_read(
            url.path, Float(BeaconSettings.sampleRate), Int32(Self.degrees),
            BeaconSettings.sofaRates.lowerBound,
            BeaconSettings.sofaRates.upperBound, UInt32(BeaconSettings.longestResponse))
        defer { csofa_free(&head) }
        guard head.status == 0, let responses = head.responses, let delays = head.delays else {
            throw BeaconErrors.sofa(SofaFile.words(head, url.lastPathComponent))
        }
        let length = Int(head.length)
        directions = (0..<Self.degrees).map { degree in
            func ear(_ number: Int) -> [Float] {
                let start = responses + (2 * degree + number) * length
                return Self.delayed(
                    UnsafeBufferPointer(start: start, count: length), delays[2 * degree + number])
            }
            return EarResponses(left: ear(0), right: ear(1))
        }
        taps = length + Self.delayRoom
        fileRate = head.facts.rate
        measurements = Int(head.facts.measurements)
        let isResampled = fileRate != Double(BeaconSettings.sampleRate)
        description =
            "measured, \(url.lastPathComponent): \(measurements) directions"
            + (isResampled ? ", \(Literal.number(fileRate / 1000)) kHz resampled to 48 kHz" : "")
    }

    package func responses(relative: Double) -> EarResponses {
        let degree = relative.rounded().truncatingRemainder(dividingBy: Double(Self.degrees))
        return directions[degree.isFinite ? (Int(degree) + Self.degrees) % Self.degrees : 0]
    }

    /// A response preceded by its separately stored delay, in whole samples.
    private static func delayed(_ response: UnsafeBufferPointer<Float>, _ seconds: Float) -> [Float] {
        let samples = (Double(seconds) * Double(BeaconSettings.sampleRate)).rounded()
        let count = samples.isFinite ? Int(max(0, min(Double(delayRoom), samples))) : 0
        return [Float](repeating: 0, count: count) + response.map { $0.isFinite ? $0 : 0 }
            + [Float](repeating: 0, count: delayRoom - count)
    }
}

/// Checks a SOFA file before the library reads it, and describes the library's errors.
enum SofaFile {
    private static let signature: [UInt8] = [0x89, 0x48, 0x44, 0x46, 0x0D, 0x0A, 0x1A, 0x0A]

    /// Throws unless it is a regular file with the signature of HDF5.
    static func check(_ url: URL) throws {
        let name = url.lastPathComponent
        var info = stat()
        guard stat(url.path, &info) == 0 else { throw CommonErrors.fileMissing("no such file: \(name)") }
        guard info.st_mode & S_IFMT == S_IFREG else {
            throw CommonErrors.fileAccess("\(name) is not a regular file")
        }
        guard info.st_size <= BeaconSettings.longestSofa else {
            throw BeaconErrors.sofa(
                "\(name) has \(info.st_size) bytes, more than \(BeaconSettings.longestSofa)")
        }
        let head: Data?
        do {
            head = try FileHandle(forReadingFrom: url).read(upToCount: signature.count)
        } catch {
            throw CommonErrors.fileAccess("\(name) cannot be read")
        }
        guard let head, Array(head) == signature else {
            throw BeaconErrors.sofa("not a SOFA file: \(name) has no HDF5 signature")
        }
    }

    /// A description of a file's fault.
    static func words(_ head: csofa_head, _ name: String) -> String {
        switch head.status {
        case CSOFA_CRASHED: "\(name) is damaged: the library that reads it crashed or did not finish"
        case CSOFA_SYSTEM: "\(name) cannot be read: no process can be started for it"
        case CSOFA_LAYOUT: "\(name) has an unsupported layout: " + layout(head.facts)
        default: "\(name) cannot be read: \(words(head.status))"
        }
    }

    private static func layout(_ facts: csofa_facts) -> String {
        if facts.ears != 2 { return "\(facts.ears) ears instead of 2" }
        if facts.verdict != 0 { return words(facts.verdict) }
        if !BeaconSettings.sofaRates.contains(facts.rate) { return "unusable sampling rate" }
        return "\(facts.measurements) measurements of \(facts.samples) samples, fewer than declared"
    }

    /// The library's error codes in words.
    private static func words(_ status: Int32) -> String {
        switch Int(status) {
        case 10_000: "its format is damaged"
        case 10_001: "its format is not supported"
        case 10_002: "not enough memory"
        case 10_003: "it is truncated or cannot be read"
        case 10_004: "it is not of the convention SimpleFreeFieldHRIR"
        case 10_005, 10_006: "its dimensions are inconsistent"
        case 10_007: "unknown coordinate system of positions"
        case 10_008...10_016: "unsupported arrangement of receivers, emitters or delays (\(status))"
        default: "the library rejects it (\(status))"
        }
    }
}

extension NativeLibrary {
    /// libmysofa.
    static let sofa = NativeLibrary(
        "measured heads", packages: "libmysofa1", headers: "libmysofa-dev", isThere: csofa_is_there)
}
