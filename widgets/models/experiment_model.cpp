#include "widgets/models/experiment_model.h"

#include <QDir>
#include <QFileInfo>
#include <QLocale>
#include <cmath>
#include <nlohmann/json.hpp>

#include "core/base/atomic_file.h"
#include "core/base/json.h"
#include "core/base/text.h"
#include "core/encoding/registry.h"
#include "core/experiment/config_io.h"
#include "core/experiment/parameter_layout.h"

namespace sextant {

using Node = nlohmann::ordered_json;

struct ExperimentModel::Document {
    Node root = Node::object();
    Node defaults;                                // every key of the schema with its default
    mutable std::map<std::string, Node> derived;  // encoding defaults, made when asked
};

namespace {

Node::json_pointer at(const QString& pointer) {
    return Node::json_pointer(pointer.toStdString());
}

const Node* lookUp(const Node& root, const QString& pointer) {
    const Node::json_pointer where = at(pointer);
    return root.contains(where) ? &root.at(where) : nullptr;
}

QString display(const Node& value) {
    if (value.is_string()) return QString::fromStdString(value.get<std::string>());
    if (value.is_boolean()) return value.get<bool>() ? "true" : "false";
    if (value.is_number_float()) {
        const double number = value.get<double>();
        const bool plain = number == 0 || (std::abs(number) >= 1e-6 && std::abs(number) < 1e12);
        return QString::number(number, plain ? 'f' : 'g', QLocale::FloatingPointShortest);
    }
    if (value.is_array()) {
        QStringList parts;
        for (const Node& item : value)
            parts << display(item);
        return parts.join(", ");
    }
    if (value.is_null()) return {};
    return QString::fromStdString(value.dump());
}

Node parseItem(FieldKind kind, const QString& text) {
    const std::string plain = text.trimmed().toStdString();
    if (kind == FieldKind::kInteger) {
        if (const auto value = parse_integer(plain)) return *value;
        if (const auto value = parse_double(plain)) return *value;  // "1e3": validation says what it wants
    }
    if (kind == FieldKind::kReal) {
        if (const auto integer = parse_integer(plain)) return *integer;
        if (const auto value = parse_double(plain); value && std::isfinite(*value)) return *value;
    }
    return plain;
}

Node parseValue(FieldKind kind, const QString& text) {
    switch (kind) {
        case FieldKind::kInteger:
        case FieldKind::kReal:
            return parseItem(kind, text);
        case FieldKind::kBoolean:
            if (text == "true") return true;
            if (text == "false") return false;
            return text.toStdString();
        case FieldKind::kIntegerList:
        case FieldKind::kRealList:
        case FieldKind::kTextList: {
            Node list = Node::array();
            const FieldKind item = kind == FieldKind::kIntegerList ? FieldKind::kInteger
                                   : kind == FieldKind::kRealList  ? FieldKind::kReal
                                                                   : FieldKind::kText;
            for (const QString& part : text.split(',', Qt::SkipEmptyParts))
                list.push_back(parseItem(item, part));
            return list;
        }
        case FieldKind::kChoice:
        case FieldKind::kText:
            break;
    }
    return text.toStdString();
}

}  // namespace

// One change of the document at one pointer; typing in the same field merges into one step.
class DocumentEdit : public QUndoCommand {
  public:
    DocumentEdit(ExperimentModel& model, QString pointer, std::optional<Node> before, std::optional<Node> after)
        : model_(model), pointer_(std::move(pointer)), before_(std::move(before)), after_(std::move(after)) {}
    void undo() override { model_.store(pointer_, before_); }
    void redo() override { model_.store(pointer_, after_); }

  private:
    ExperimentModel& model_;
    QString pointer_;
    std::optional<Node> before_, after_;
};

ExperimentModel::ExperimentModel(QObject* parent) : QObject(parent), document_(std::make_unique<Document>()) {
    document_->defaults = to_json(Experiment{});
}

ExperimentModel::~ExperimentModel() = default;

void ExperimentModel::setExperiment(const Experiment& experiment) {
    document_->root = to_json(experiment);
    undo_.clear();
    refresh();
}

Status ExperimentModel::load(const QString& path) {
    auto bytes = read_file(path.toStdString(), JsonLimits{}.bytes);
    if (!bytes.ok()) return std::move(bytes).error();
    // The strict pass first (duplicates, depth), then again with the key order kept.
    auto strict = parse_json(*bytes, path.toStdString());
    if (!strict.ok()) return std::move(strict).error();
    if (!strict->is_object()) return config_error("an experiment file holds one JSON object");
    document_->root = Node::parse(*bytes);
    directory_ = QFileInfo(path).absolutePath();
    undo_.clear();
    refresh();
    return {};
}

Status ExperimentModel::setJson(const QString& text) {
    const std::string bytes = text.toStdString();
    auto strict = parse_json(bytes);
    if (!strict.ok()) return std::move(strict).error();
    if (!strict->is_object()) return config_error("an experiment file holds one JSON object");
    Node next = Node::parse(bytes);
    if (next != document_->root) push({}, std::move(next), tr("edit the JSON"));
    return {};
}

Status ExperimentModel::save(const QString& path) {
    Status written = write_file_atomically(path.toStdString(), dump_json(document_->root) + "\n");
    if (written.ok()) undo_.setClean();
    return written;
}

QString ExperimentModel::json() const {
    return QString::fromStdString(dump_json(document_->root));
}

Result<Experiment> ExperimentModel::experiment() const {
    auto loaded = experiment_from_json(Json::parse(document_->root.dump()), directory_.toStdString());
    if (!loaded.ok()) return std::move(loaded).error();
    return std::move(loaded).value().experiment;
}

void ExperimentModel::store(const QString& pointer, const std::optional<Node>& value) {
    if (pointer.isEmpty()) {
        document_->root = value.value_or(Node::object());
    } else if (value) {
        document_->root[at(pointer)] = *value;
    } else if (document_->root.contains(at(pointer))) {
        const Node::json_pointer where = at(pointer);
        document_->root.at(where.parent_pointer()).erase(where.back());
    }
    refresh();
}

void ExperimentModel::push(const QString& pointer, std::optional<Node> value, const QString& text) {
    std::optional<Node> before;
    if (pointer.isEmpty())
        before = document_->root;
    else if (const Node* found = find(pointer))
        before = *found;
    if (before == value) return;
    auto* edit = new DocumentEdit(*this, pointer, std::move(before), std::move(value));
    edit->setText(text);
    undo_.push(edit);
}

void ExperimentModel::refresh() {
    problems_.clear();
    for (const ConfigProblem& problem : validate_experiment(Json::parse(document_->root.dump())))
        problems_ << FieldProblem{QString::fromStdString(problem.pointer), QString::fromStdString(problem.message),
                                  problem.warning};
    Q_EMIT edited();
}

const Node* ExperimentModel::find(const QString& pointer) const {
    return lookUp(document_->root, pointer);
}

QString ExperimentModel::name() const {
    const Node* value = find("/name");
    return value != nullptr ? display(*value) : QString();
}

void ExperimentModel::setName(const QString& name) {
    push("/name", Node(name.toStdString()), tr("name"));
}

QList<std::int64_t> ExperimentModel::seeds() const {
    QList<std::int64_t> seeds;
    const Node* list = find("/seeds");
    if (list == nullptr || !list->is_array()) return seeds;
    for (const Node& seed : *list) {
        if (seed.is_number_integer()) seeds << seed.get<std::int64_t>();
    }
    return seeds;
}

void ExperimentModel::setSeeds(const QList<std::int64_t>& seeds) {
    Node list = Node::array();
    for (const std::int64_t seed : seeds)
        list.push_back(seed);
    push("/seeds", std::move(list), tr("seeds"));
}

int ExperimentModel::armCount() const {
    const Node* variants = find("/variants");
    return 1 + (variants != nullptr && variants->is_array() ? static_cast<int>(variants->size()) : 0);
}

QString ExperimentModel::armPointer(int arm) const {
    return arm == 0 ? QStringLiteral("/baseline") : QStringLiteral("/variants/%1").arg(arm - 1);
}

QString ExperimentModel::armName(int arm) const {
    const Node* value = find(armPointer(arm) + "/name");
    return value != nullptr ? display(*value) : QString();
}

const EncodingSpec* ExperimentModel::armEncoding(int arm) const {
    const Node* id = find(armPointer(arm) + "/encoding/id");
    return id != nullptr && id->is_string() ? find_encoding(id->get<std::string>()) : nullptr;
}

void ExperimentModel::renameArm(int arm, const QString& name) {
    push(armPointer(arm) + "/name", Node(name.toStdString()), tr("rename %1").arg(armName(arm)));
}

int ExperimentModel::addVariant(const QString& encoding) {
    const Node* old = find("/variants");
    Node variants = old != nullptr && old->is_array() ? *old : Node::array();
    QStringList names;
    for (int arm = 0; arm < armCount(); ++arm)
        names << armName(arm);
    QString name = encoding;
    for (int number = 2; names.contains(name); ++number)
        name = QStringLiteral("%1-%2").arg(encoding).arg(number);
    variants.push_back({{"name", name.toStdString()},
                        {"encoding", {{"id", encoding.toStdString()}}},
                        {"model", Node::object()},
                        {"training", Node::object()}});
    push("/variants", std::move(variants), tr("add %1").arg(name));
    return armCount() - 1;
}

int ExperimentModel::duplicateArm(int arm) {
    const Node* source = find(armPointer(arm));
    if (source == nullptr) return arm;
    Node copy = *source;
    QStringList names;
    for (int other = 0; other < armCount(); ++other)
        names << armName(other);
    QString name = armName(arm) + "-2";
    for (int number = 3; names.contains(name); ++number)
        name = QStringLiteral("%1-%2").arg(armName(arm)).arg(number);
    copy["name"] = name.toStdString();
    const Node* old = find("/variants");
    Node variants = old != nullptr && old->is_array() ? *old : Node::array();
    variants.push_back(std::move(copy));
    push("/variants", std::move(variants), tr("duplicate %1").arg(armName(arm)));
    return armCount() - 1;
}

void ExperimentModel::removeArm(int arm) {
    const Node* old = find("/variants");
    if (arm <= 0 || old == nullptr || !old->is_array() || static_cast<std::size_t>(arm) > old->size()) return;
    Node variants = *old;
    variants.erase(static_cast<std::size_t>(arm - 1));
    push("/variants", std::move(variants), tr("remove %1").arg(armName(arm)));
}

QString ExperimentModel::pointer(const ExperimentField& field, int arm) const {
    if (field.section == "encoding") return armPointer(arm) + "/encoding" + field.path;
    if (field.scope == FieldScope::kShared || arm == 0) {
        // A baseline that overrides the common settings is edited where its value stands.
        const QString own = "/baseline/" + field.section + field.path;
        if (field.scope == FieldScope::kArm && find(own) != nullptr) return own;
        return "/" + field.section + field.path;
    }
    return armPointer(arm) + "/" + field.section + field.path;
}

bool ExperimentModel::applies(const ExperimentField& field, int arm) const {
    if (field.scope == FieldScope::kShared) return arm == 0;
    if (field.section != "encoding" || field.path == "/id") return true;
    const EncodingSpec* spec = armEncoding(arm);
    if (spec == nullptr) return find(pointer(field, arm)) != nullptr;
    const std::string name = field.path.mid(12).toStdString();  // after "/parameters/"
    for (const ParameterSpec& parameter : spec->parameters) {
        if (parameter.name == name) return true;
    }
    return find(pointer(field, arm)) != nullptr;
}

const Node* ExperimentModel::effective(const ExperimentField& field, int arm) const {
    if (const Node* own = find(pointer(field, arm))) return own;
    if (field.section == "encoding") {
        const EncodingSpec* spec = armEncoding(arm);
        if (spec == nullptr || field.path == "/id") return nullptr;
        const std::string name = field.path.mid(12).toStdString();
        for (const ParameterSpec& parameter : spec->parameters) {
            if (parameter.name != name) continue;
            Node value = Node::parse(to_json(parameter.default_value).dump());
            return &(document_->derived[spec->id + "/" + name] = std::move(value));
        }
        return nullptr;
    }
    const QString common = "/" + field.section + field.path;
    if (const Node* shared = find(common)) return shared;
    return lookUp(document_->defaults, common);
}

QString ExperimentModel::value(const ExperimentField& field, int arm) const {
    const Node* node = effective(field, arm);
    return node != nullptr ? display(*node) : QString();
}

bool ExperimentModel::changed(const ExperimentField& field, int arm) const {
    if (arm == 0 || field.scope == FieldScope::kShared || !applies(field, arm)) return false;
    if (field.section == "encoding" && field.path != "/id" && armEncoding(arm) != armEncoding(0)) {
        // Another encoding: its parameters have no counterpart; only what departs from their defaults is a change.
        return find(pointer(field, arm)) != nullptr;
    }
    return value(field, arm) != value(field, 0);
}

int ExperimentModel::changedFields(int arm) const {
    int count = 0;
    std::vector<const EncodingSpec*> used;
    if (const EncodingSpec* spec = armEncoding(arm)) used.push_back(spec);
    for (const ExperimentField& field : encodingFields(used))
        count += changed(field, arm) ? 1 : 0;
    for (const ExperimentField& field : experimentFields())
        count += changed(field, arm) ? 1 : 0;
    return count;
}

void ExperimentModel::setValue(const ExperimentField& field, int arm, const QString& text) {
    const QString where = pointer(field, arm);
    const QString label = tr("set %1").arg(field.label());
    if (text.trimmed().isEmpty() && (field.section == "encoding" || arm > 0)) {
        push(where, std::nullopt, label);  // an emptied override falls back
        return;
    }
    Node value = parseValue(field.kind, text);
    if (field.section == "encoding" && field.path == "/id") {
        // Parameters belong to the old encoding: keep those that the new one also knows.
        const QString whole = armPointer(arm) + "/encoding";
        Node next = {{"id", value}};
        const EncodingSpec* spec = find_encoding(text.toStdString());
        if (const Node* old = find(whole + "/parameters"); old != nullptr && old->is_object() && spec != nullptr) {
            for (const ParameterSpec& parameter : spec->parameters) {
                if (old->contains(parameter.name)) next["parameters"][parameter.name] = old->at(parameter.name);
            }
        }
        push(whole, std::move(next), label);
        return;
    }
    if (arm > 0 && field.section != "encoding") {
        const Node* common = find("/" + field.section + field.path);
        if (common == nullptr) common = lookUp(document_->defaults, "/" + field.section + field.path);
        if (common != nullptr && *common == value) {
            push(where, std::nullopt, label);
            return;
        }
    }
    push(where, std::move(value), label);
}

QString ExperimentModel::valueAt(const QString& pointer) const {
    const Node* node = find(pointer);
    if (node == nullptr) node = lookUp(document_->defaults, pointer);
    return node != nullptr ? display(*node) : QString();
}

void ExperimentModel::setValueAt(const QString& pointer, FieldKind kind, const QString& text) {
    push(pointer, parseValue(kind, text), tr("set %1").arg(pointer.mid(1)));
}

int ExperimentModel::errorCount() const {
    return static_cast<int>(std::count_if(problems_.begin(), problems_.end(),
                                          [](const FieldProblem& problem) { return !problem.warning; }));
}

std::optional<ModelConfig> ExperimentModel::modelOf(int arm) const {
    ModelConfig model;
    bool good = true;
    const auto number = [&](const char* path) -> std::int64_t {
        const ExperimentField field{"model", QString::fromLatin1(path), FieldKind::kInteger, FieldScope::kArm, {}, {}};
        const auto value = parse_integer(this->value(field, arm).toStdString());
        if (!value || *value <= 0 || *value > (std::int64_t{1} << 24)) good = false;
        return value.value_or(1);
    };
    model.d_model = number("/d_model");
    model.n_layer = number("/n_layer");
    model.n_head = number("/n_head");
    model.n_kv_head = number("/n_kv_head");
    model.d_ff = number("/d_ff");
    model.context_length = number("/context_length");
    const ExperimentField tie{"model", "/tie_embeddings", FieldKind::kBoolean, FieldScope::kArm, {}, {}};
    model.tie_embeddings = value(tie, arm) != "false";
    const auto vocabulary = parse_integer(valueAt("/data/tokenizer/vocab_size").toStdString());
    model.vocab_size = vocabulary.value_or(0);
    if (!good || model.vocab_size <= 0 || model.d_model % model.n_head != 0 || model.n_head % model.n_kv_head != 0)
        return std::nullopt;
    return model;
}

std::optional<std::int64_t> ExperimentModel::parameterCount(int arm) const {
    const auto model = modelOf(arm);
    const Node* node = find(armPointer(arm) + "/encoding");
    if (!model || node == nullptr || !node->is_object()) return std::nullopt;
    EncodingConfig config;
    if (const Node* id = find(armPointer(arm) + "/encoding/id"); id != nullptr && id->is_string())
        config.id = id->get<std::string>();
    if (const Node* given = find(armPointer(arm) + "/encoding/parameters"); given != nullptr && given->is_object()) {
        for (const auto& [key, value] : given->items()) {
            auto parsed = parameter_from_json(Json::parse(value.dump()), key);
            if (!parsed.ok()) return std::nullopt;
            config.parameters[key] = *parsed;
        }
    }
    auto encoding = make_encoding(config, model->encoding_site());
    if (!encoding.ok()) return std::nullopt;
    return parameter_layout(*model, **encoding).parameter_count();
}

}  // namespace sextant
