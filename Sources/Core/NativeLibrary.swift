import CArchive
import CCairo
import CCrypto
import CHeif
import CPhoto
import CXml
import CZlib
import CZones
import Glibc

/// A C library that is loaded on first use. Features that do not need it work without it.
public struct NativeLibrary: Sendable {
    /// The feature, such as `drawing PNG and PDF`.
    public let feature: String
    /// Debian's packages that are loaded.
    public let packages: String
    /// Debian's packages without which the feature is not built; `nil` if it always is.
    private let headers: String?
    private let isThere: @Sendable () -> Int32

    /// Declares a library; `isThere` tries to load it.
    public init(
        _ feature: String, packages: String, headers: String? = nil,
        isThere: @escaping @Sendable () -> Int32
    ) {
        self.feature = feature
        self.packages = packages
        self.headers = headers
        self.isThere = isThere
    }

    /// Whether it can be loaded.
    public var isAvailable: Bool { isThere() != 0 }

    /// Whether no further file can be opened: then a library that is installed cannot be loaded either.
    private static var isOutOfFiles: Bool {
        let file = open("/dev/null", O_RDONLY | O_CLOEXEC)
        guard file < 0 else {
            close(file)
            return false
        }
        return errno == EMFILE || errno == ENFILE
    }

    /// Throws `E-LIBRARY-MISSING` where it cannot be loaded, or `E-LIMIT-FILES`.
    public func require() throws(RutterError) {
        guard !isAvailable else { return }
        if Self.isOutOfFiles {
            throw CommonErrors.tooManyFiles(
                "\(feature) is unavailable: \(packages) could not be loaded, since the process has as many open files as it may have",
                fix: CommonErrors.moreFiles)
        }
        throw CommonErrors.libraryMissing(
            "\(feature) is unavailable: \(packages) is not installed",
            fix: "sudo apt-get install \(packages)"
                + (headers.map { "; a rutter built without \($0) must be rebuilt with it" } ?? ""))
    }
}

extension NativeLibrary {
    /// libarchive.
    public static let archive = NativeLibrary(
        "reading and writing archives", packages: "libarchive13", isThere: archive_is_there)
    /// cairo and pango.
    public static let cairo = NativeLibrary(
        "drawing PNG and PDF", packages: "libpangocairo-1.0-0", isThere: cairo_is_there)
    /// libcrypto.
    public static let crypto = NativeLibrary(
        "computing SHA-256 checksums", packages: "libssl3", isThere: crypto_is_there)
    /// libheif.
    public static let heif = NativeLibrary(
        "reading HEIC photos", packages: "libheif1", headers: "libheif-dev", isThere: cheif_is_there)
    /// libjpeg-turbo and libexif.
    public static let photos = NativeLibrary(
        "reading photos", packages: "libjpeg62-turbo libexif12", headers: "libjpeg-dev libexif-dev",
        isThere: cphoto_is_there)
    /// libxml2.
    public static let xml = NativeLibrary(
        "reading GPX and XML", packages: "libxml2", isThere: cxml_is_there)
    /// zlib.
    public static let zlib = NativeLibrary(
        "compressing tracks and maps", packages: "zlib1g", isThere: zlib_is_there)
    /// KDE's locale data, with time zone borders.
    public static let zones = NativeLibrary(
        "finding time zones of photos without an offset", packages: "libkf5i18nlocaledata5",
        isThere: czones_is_there)
}
