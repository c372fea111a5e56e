import Foundation
import PluginKit

extension FileAccess {
    /// What to type for a file that was found: its path below the folder of the session, or else the path that was used.
    func typedPath(of url: URL) -> String {
        let path = url.standardizedFileURL.path
        for folder in [outputFolder] + searchFolders {
            let root = folder.standardizedFileURL.path + "/"
            if path.hasPrefix(root) { return String(path.dropFirst(root.count)) }
        }
        return log.all.last { $0.url == url }?.name ?? path
    }
}
