import Foundation
import PluginKit

/// A cloud in an object store; its server and keys come from the environment.
enum S3Kind: CloudKind {
    static let schemes = ["s3"]
    static let pattern = "s3://BUCKET/PREFIX"
    static let usesNetwork = true
    static let libraries: [NativeLibrary] = [.objectStore]

    static func open(_ address: CloudAddress) throws -> any CloudBackend {
        try S3Cloud(
            try S3Address(address.text ?? "", environment: ProcessInfo.processInfo.environment),
            epoch: address.epoch)
    }
}
