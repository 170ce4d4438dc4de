# Figures of Riezler & Hagmann (2021) that show no numbers, and students with the five features of their text, in R.
# Rscript book-more.R DATA_FOLDER > book-more.json
library(mgcv); library(jsonlite)
folder <- commandArgs(TRUE)[1]
read <- function(name) read.csv(gzfile(file.path(folder, "riezler2021", name)))
ask <- function(formula, data, ...) {
  fit <- gam(as.formula(formula), data = data, ...)
  list(formula = formula, d2 = 100 * summary(fit)$dev.expl, edf = sum(fit$edf))
}
out <- list()
liver <- read("liver_testset.csv.gz"); kidney <- read("kidney_testset.csv.gz")
teacher <- function(data) {
  by <- function(f) unname(sapply(split(data$score_circ, data$target), f))
  list(accuracy = 100 * mean(data$sofa_circ == data$target),
       byClass = unname(sapply(split(data$sofa_circ == data$target, data$target), function(x) 100 * mean(x))),
       median = by(median), lower = by(function(x) quantile(x, .25)), upper = by(function(x) quantile(x, .75)))
}
out$liverTeacher <- teacher(liver); out$kidneyTeacher <- teacher(kidney)
out$liverOther <- 100 * mean(liver$sofa_nocirc == liver$target); out$kidneyOther <- 100 * mean(kidney$sofa_nocirc == kidney$target)
out$liverAblation <- 100 * mean(liver$sofa_circ_ablation == liver$target)
features <- c("crea", "urine24", "artph", "bun", "temp", "lactate")
out$correlations <- cor(kidney[c("target", features)])
out$sparse <- list(creaHigh = sum(kidney$crea > 1.2), both = sum(kidney$crea > 1.2 & kidney$urine24 <= 500),
                   creaAlone = sum(kidney$crea > 1.2 & kidney$urine24 > 500), critical = sum(kidney$crea > 5 & kidney$urine24 > 500),
                   n = nrow(kidney), spearman = cor(kidney$crea, kidney$urine24, method = "spearman"))
annotation <- read.csv(file.path(folder, "riezler2021", "mt_annotation.csv"))
out$annotation <- aggregate(score ~ mode + sentence, annotation, function(x) c(mean = mean(x), sd = sd(x)))
out$annotationMode <- aggregate(score ~ mode, annotation, function(x) c(mean = mean(x), sd = sd(x)))
grid <- read.csv(file.path(folder, "riezler2021", "liver_reliability_grid.csv"))
out$grid <- lapply(setNames(nm = c("dropout", "hidden_size_max", "hidden_number", "learning_rate", "batch_size", "random_seed", "epochs")),
  function(name) aggregate(list(accuracy = grid$accuracy), list(level = grid[[name]]), function(x) c(mean = mean(x), sd = sd(x))))
ter <- read.csv(file.path(folder, "riezler2021", "mt_ter.csv"))
ter$class <- cut(ter$src_length, c(-Inf, 15, 55, Inf), labels = c("short", "typical", "very long"))
box <- function(x) quantile(x, c(.25, .5, .75))
out$ter <- aggregate(ter ~ system, ter, box); out$terClass <- aggregate(ter ~ system + class, ter, box)
out$terLength <- sapply(split(ter, ter$system), function(d) cor(d$src_length, d$ter, method = "spearman"))
cat(toJSON(out, digits = 16, auto_unbox = TRUE), "\n", file = "book-more-simple.json")
out$gams <- list(
  ask("target ~ s(bili, k = 100) + s(asat) + s(quinr) + s(alat) + s(hzv)", liver),
  ask("target ~ s(asat) + s(quinr) + s(alat) + s(hzv)", liver),
  ask("target ~ s(bili) + s(asat) + s(quinr) + s(alat) + s(hzv)", liver),
  ask("sofa_circ ~ s(bili, k = 100) + s(thrombo) + s(hzv) + s(svri) + s(urine24)", liver),
  ask("sofa_circ ~ s(thrombo) + s(hzv) + s(svri) + s(urine24)", liver),
  ask("sofa_circ ~ s(urine24, k = 150) + s(crea, k = 125) + s(artph) + s(bun) + s(bili)", kidney),
  ask("sofa_circ ~ s(artph) + s(bun) + s(bili)", kidney),
  ask("target ~ s(urine24, k = 150) + s(crea, k = 125)", kidney))
cat(toJSON(out, digits = 16, auto_unbox = TRUE, pretty = TRUE), "\n")
