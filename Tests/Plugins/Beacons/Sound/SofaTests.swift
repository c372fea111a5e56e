import Foundation
import PluginKit
import PluginTestKit
import Testing

@testable import BeaconsPlugin

/// Invalid SOFA files: not SOFA, truncated, or of another layout.
struct SofaTests {
    private static let system = URL(fileURLWithPath: BeaconSettings.systemSofa)
    private static let isThere =
        FileManager.default.fileExists(atPath: system.path) && NativeLibrary.sofa.isAvailable
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func code(_ data: Data) throws -> String? {
        let url = folder.url.appendingPathComponent("head.sofa")
        try data.write(to: url)
        do {
            _ = try MeasuredHead(url)
            return nil
        } catch let error as RutterError {
            return error.code
        }
    }

    @Test(.needs(.sofa)) func whatIsNoSofaFileIsRefused() throws {
        #expect(try code(Data()) == "E-BEACON-SOFA")
        #expect(try code(Data("RIFF....WAVE".utf8)) == "E-BEACON-SOFA")
        #expect(try code(Data([0x89, 0x48, 0x44, 0x46, 0x0D, 0x0A, 0x1A, 0x0A])) == "E-BEACON-SOFA")
    }

    @Test(.enabled(if: isThere, "libmysofa's own file is not installed"))
    func aFileThatIsCutOffIsRefused() throws {
        let whole = try Data(contentsOf: Self.system)
        for share in [0.01, 0.1, 0.5, 0.9] {
            #expect(try code(whole.prefix(Int(Double(whole.count) * share))) == "E-BEACON-SOFA")
        }
        #expect(try code(whole) == nil)
    }

    @Test(.enabled(if: isThere, "libmysofa's own file is not installed"))
    func anotherConventionIsRefused() throws {
        var bytes = try Data(contentsOf: Self.system)
        let range = try #require(bytes.range(of: Data("SimpleFreeFieldHRIR".utf8)))
        bytes.replaceSubrange(range, with: Data("MultiSpeakerBRIRxxx".utf8))
        #expect(try code(bytes) == "E-BEACON-SOFA")
    }

    @Test(.enabled(if: isThere, "libmysofa's own file is not installed"))
    func anotherSamplingRateIsResampledAndSaidSo() throws {
        let head = try MeasuredHead(Self.system)
        #expect(head.fileRate == 44_100)
        #expect(head.description.contains("44.1 kHz resampled to 48 kHz"))
        // A click stays where it was in time: ahead both ears hear it at once.
        #expect(abs(EarMeasure(head.responses(relative: 0)).delay) < 1e-6)
    }

    @Test(.enabled(if: isThere, "libmysofa's own file is not installed"))
    func aDamagedFileIsAnErrorAndNoCrash() throws {
        let whole = try Data(contentsOf: Self.system)
        var random = Xoshiro256(seed: 9)
        for round in 0..<40 {
            var bytes = whole
            for _ in 0..<[1, 5, 50][round % 3] {
                // The beginning holds the structure, the rest mostly samples.
                let end = round % 2 == 0 ? 60_000 : bytes.count
                bytes[Int.random(in: 8..<end, using: &random)] = UInt8.random(in: 0...255, using: &random)
            }
            let code = try code(bytes)
            #expect(code == nil || code == "E-BEACON-SOFA")
        }
    }

    @Test func aFolderIsNoFile() throws {
        #expect(throws: RutterError.self) { try MeasuredHead(folder.url) }
        #expect(throws: RutterError.self) { try MeasuredHead(folder.url.appendingPathComponent("none.sofa")) }
    }
}
