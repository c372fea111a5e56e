#include "COsmium.h"

#include <osmium/io/any_input.hpp>
#include <osmium/osm/way.hpp>
#include <osmium/visitor.hpp>

#include <algorithm>
#include <cstring>
#include <new>
#include <string>
#include <system_error>
#include <unordered_map>
#include <vector>

namespace {

struct Stopped {};

/// Texts, each kept once.
struct TextStore {
    std::vector<int64_t> first_byte{0};
    std::string bytes;
    std::unordered_map<std::string, int32_t> texts;

    int32_t text(const char *value) {
        const auto found = texts.find(value);
        if (found != texts.end()) return found->second;
        const auto index = static_cast<int32_t>(texts.size());
        texts.emplace(value, index);
        bytes += value;
        first_byte.push_back(static_cast<int64_t>(bytes.size()));
        return index;
    }
};

struct WayStore : TextStore {
    std::vector<int64_t> ids;
    std::vector<int64_t> first_ref{0};
    std::vector<int64_t> refs;
    std::vector<int32_t> positions;
    bool has_positions = false;
    std::vector<int32_t> values;

    void add(const osmium::Way &way, const char *const *keys, size_t count) {
        if (!way.tags().has_key(keys[0])) return;
        ids.push_back(way.id());
        for (size_t key = 0; key < count; ++key) {
            const char *value = way.tags().get_value_by_key(keys[key]);
            values.push_back(value ? text(value) : -1);
        }
        for (const auto &ref : way.nodes()) {
            refs.push_back(ref.ref());
            const bool known = ref.location().valid();
            has_positions = has_positions || known;
            positions.push_back(known ? ref.location().y() : COSM_UNDEFINED);
            positions.push_back(known ? ref.location().x() : COSM_UNDEFINED);
        }
        first_ref.push_back(static_cast<int64_t>(refs.size()));
    }
};

/// Named nodes and ways.
struct NameStore : TextStore {
    size_t count = 0;
    std::vector<int32_t> positions;
    std::vector<int64_t> refs;
    std::vector<int32_t> values;

    /// Keeps a thing's tags if it has a name and a class; whether it does.
    bool add(const osmium::TagList &tags, const char *const *keys, size_t classes, size_t key_count) {
        if (tags.empty() || !tags.has_key(keys[0])) return false;
        const bool has_class = std::any_of(keys + 1, keys + 1 + classes, [&](const char *key) { return tags.has_key(key); });
        if (!has_class) return false;
        for (size_t key = 0; key < key_count; ++key) {
            const char *value = tags.get_value_by_key(keys[key]);
            values.push_back(value ? text(value) : -1);
        }
        ++count;
        return true;
    }

    void place(int32_t latitude, int32_t longitude, int64_t first, int64_t second) {
        positions.push_back(latitude);
        positions.push_back(longitude);
        refs.push_back(first);
        refs.push_back(second);
    }
};

/// Positions by sorted ids: files are sorted as a rule, so the next id is looked for near the last.
struct NodeStore {
    const int64_t *ids;
    size_t count;
    int32_t *latitudes;
    int32_t *longitudes;
    size_t cursor = 0;

    void add(const osmium::Node &node) {
        const int64_t id = node.id();
        if (cursor >= count || ids[cursor] > id) {
            if (cursor > 0 && ids[cursor - 1] < id) return;
            cursor = 0;
        }
        size_t step = 1;
        size_t low = cursor;
        while (low + step < count && ids[low + step] <= id) {
            low += step;
            step *= 2;
        }
        const size_t high = std::min(count, low + step);
        cursor = static_cast<size_t>(std::lower_bound(ids + low, ids + high, id) - ids);
        if (cursor < count && ids[cursor] == id && node.location().valid()) {
            latitudes[cursor] = node.location().y();
            longitudes[cursor] = node.location().x();
        }
    }
};

cosm_result failure(cosm_status status, const char *message, uint64_t offset) {
    cosm_result result;
    std::memset(&result, 0, sizeof result);
    result.status = status;
    result.offset = offset;
    std::strncpy(result.message, message, sizeof result.message - 1);
    return result;
}

/// Reads a file with every exception caught; `take` gets each object.
template <typename Take>
cosm_result read(
    const char *path, osmium::osm_entity_bits::type bits, cosm_progress progress, void *context, Take &&take) {
    uint64_t offset = 0;
    try {
        osmium::io::Reader reader{osmium::io::File{path}, bits, osmium::io::read_meta::no};
        try {
            while (const osmium::memory::Buffer buffer = reader.read()) {
                for (const auto &item : buffer) take(item);
                offset = reader.offset();
                if (progress && progress(context, offset, reader.file_size()) != 0) throw Stopped{};
            }
            reader.close();
        } catch (...) {
            offset = std::max<uint64_t>(offset, reader.offset());
            throw;
        }
        return failure(cosm_ok, "", offset);
    } catch (const Stopped &) {
        return failure(cosm_stopped, "", offset);
    } catch (const osmium::unsupported_file_format_error &error) {
        return failure(cosm_kind, error.what(), offset);
    } catch (const osmium::pbf_error &error) {
        const bool feature = std::strstr(error.what(), "required feature") != nullptr;
        return failure(feature ? cosm_feature : cosm_damaged, error.what(), offset);
    } catch (const osmium::io_error &error) {
        return failure(cosm_damaged, error.what(), offset);
    } catch (const std::system_error &error) {
        return failure(cosm_system, error.what(), offset);
    } catch (const std::bad_alloc &) {
        return failure(cosm_memory, "out of memory", offset);
    } catch (const std::exception &error) {
        return failure(cosm_damaged, error.what(), offset);
    } catch (...) {
        return failure(cosm_damaged, "unknown failure", offset);
    }
}

}  // namespace

extern "C" cosm_result cosm_read_ways(
    const char *path, const char *const *keys, size_t key_count, cosm_progress progress, void *context,
    cosm_ways *ways) {
    std::memset(ways, 0, sizeof *ways);
    auto *store = new (std::nothrow) WayStore;
    if (!store) return failure(cosm_memory, "out of memory", 0);
    const auto result = read(path, osmium::osm_entity_bits::way, progress, context, [&](const auto &item) {
        if (item.type() == osmium::item_type::way) store->add(static_cast<const osmium::Way &>(item), keys, key_count);
    });
    ways->count = store->ids.size();
    ways->ids = store->ids.data();
    ways->first_ref = store->first_ref.data();
    ways->refs = store->refs.data();
    ways->ref_positions = store->has_positions ? store->positions.data() : nullptr;
    ways->values = store->values.data();
    ways->text_count = store->first_byte.size() - 1;
    ways->first_byte = store->first_byte.data();
    ways->bytes = store->bytes.data();
    ways->owner = store;
    return result;
}

extern "C" void cosm_free_ways(cosm_ways *ways) {
    delete static_cast<WayStore *>(ways->owner);
    std::memset(ways, 0, sizeof *ways);
}

extern "C" cosm_result cosm_read_nodes(
    const char *path, const int64_t *ids, size_t count, cosm_progress progress, void *context, int32_t *latitudes,
    int32_t *longitudes, uint64_t *seen) {
    NodeStore store{ids, count, latitudes, longitudes};
    uint64_t total = 0;
    const auto result = read(path, osmium::osm_entity_bits::node, progress, context, [&](const auto &item) {
        if (item.type() != osmium::item_type::node) return;
        ++total;
        store.add(static_cast<const osmium::Node &>(item));
    });
    *seen = total;
    return result;
}

extern "C" cosm_result cosm_read_names(
    const char *path, const char *const *keys, size_t class_count, size_t key_count, cosm_progress progress,
    void *context, cosm_names *names) {
    std::memset(names, 0, sizeof *names);
    auto *store = new (std::nothrow) NameStore;
    if (!store) return failure(cosm_memory, "out of memory", 0);
    const auto bits = osmium::osm_entity_bits::node | osmium::osm_entity_bits::way;
    const auto result = read(path, bits, progress, context, [&](const auto &item) {
        if (item.type() == osmium::item_type::node) {
            const auto &node = static_cast<const osmium::Node &>(item);
            if (!node.location().valid() || !store->add(node.tags(), keys, class_count, key_count)) return;
            store->place(node.location().y(), node.location().x(), 0, 0);
        } else if (item.type() == osmium::item_type::way) {
            const auto &way = static_cast<const osmium::Way &>(item);
            if (way.nodes().empty() || way.tags().has_key("highway")) return;
            if (!store->add(way.tags(), keys, class_count, key_count)) return;
            const auto middle = way.nodes()[way.nodes().size() / 2].ref();
            store->place(
                COSM_UNDEFINED, COSM_UNDEFINED, way.is_closed() ? way.nodes().front().ref() : middle, middle);
        }
    });
    names->count = store->count;
    names->positions = store->positions.data();
    names->refs = store->refs.data();
    names->values = store->values.data();
    names->text_count = store->first_byte.size() - 1;
    names->first_byte = store->first_byte.data();
    names->bytes = store->bytes.data();
    names->owner = store;
    return result;
}

extern "C" void cosm_free_names(cosm_names *names) {
    delete static_cast<NameStore *>(names->owner);
    std::memset(names, 0, sizeof *names);
}
